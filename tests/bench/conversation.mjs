// Generates the conversation for the benchmarks: Contents of about 1.2 KB each, or smaller ones (questions, signed calls,
// results with escapes, answers), always with the same bytes.

const encoder = new TextEncoder();

/** The model of all requests. */
export const model = 'gemini-3.8-flash';

const line = 'Zürich → 18 °C, "light rain", wind from the north-west at 12 km/h;\n';

// The turn number makes every turn unique.
const prose = (turn, bytes) => `${turn}: ${line.repeat(Math.ceil(bytes / 75))}`;

/** How large the Contents are: characters of a text, of the arguments of a call, of a signature; places in a result. */
const large = { text: 1100, args: 500, signature: 536, places: 9 };

/** Contents of which 5,000 are within the context of a model: a million tokens. */
export const small = { text: 450, args: 150, signature: 268, places: 3 };

const signatureOf = (turn, length) => String(turn).padStart(8, '0').repeat(67).slice(0, length);

const placesOf = (turn, count) =>
  Array.from({ length: count }, (_, i) => ({
    city: `place ${turn}-${i}`,
    celsius: i / 4,
    note: line,
  }));

const makers = {
  question: (turn, { text }) => ({ role: 'user', parts: [{ text: prose(turn, text) }] }),
  call: (turn, { args, signature }) => ({
    role: 'model',
    parts: [
      {
        functionCall: { name: 'get_weather', args: { turn, query: prose(turn, args) } },
        thoughtSignature: signatureOf(turn, signature),
      },
    ],
  }),
  result: (turn, { places }) => ({
    role: 'user',
    parts: [
      { functionResponse: { name: 'get_weather', response: { output: placesOf(turn, places) } } },
    ],
  }),
  answer: (turn, { text }) => ({ role: 'model', parts: [{ text: prose(turn, text) }] }),
};

const step = ['question', 'call', 'result', 'answer'];

/** Returns `count` Contents as objects; `count` must be even, so that the last one is an answer. */
export function conversation(count, size = large) {
  const short = count % 4;
  const kinds = Array.from({ length: count }, (_, i) =>
    i < short ? ['question', 'answer'][i] : step[(i - short) % 4],
  );
  return kinds.map((kind, turn) => makers[kind](turn, size));
}

/** Returns the next Content of the user. */
export const next = (turn, size = large) => makers.question(turn, size);

export const encode = (value) => encoder.encode(JSON.stringify(value));

/** The fields next to the contents: small, and the same in every request. */
export const fields = {
  tools: [
    {
      functionDeclarations: [
        {
          name: 'get_weather',
          description: 'The weather in many places',
          parameters: { type: 'OBJECT', properties: { query: { type: 'STRING' } } },
        },
      ],
    },
  ],
  toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
  generationConfig: { maxOutputTokens: 2048 },
};
