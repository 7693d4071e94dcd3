// Generates the conversation for the benchmarks: Contents of about 1.2 KB each (questions, signed calls, results with
// escapes, answers), always with the same bytes.

const encoder = new TextEncoder();

/** The model of all requests. */
export const model = 'gemini-3.8-flash';

const line = 'Zürich → 18 °C, "light rain", wind from the north-west at 12 km/h;\n';

// The turn number makes every turn unique.
const prose = (turn, bytes) => `${turn}: ${line.repeat(Math.ceil(bytes / 75))}`;

const signature = (turn) => String(turn).padStart(8, '0').repeat(67).slice(0, 536);

const places = (turn) =>
  Array.from({ length: 9 }, (_, i) => ({ city: `place ${turn}-${i}`, celsius: i / 4, note: line }));

const makers = {
  question: (turn) => ({ role: 'user', parts: [{ text: prose(turn, 1100) }] }),
  call: (turn) => ({
    role: 'model',
    parts: [
      {
        functionCall: { name: 'get_weather', args: { turn, query: prose(turn, 500) } },
        thoughtSignature: signature(turn),
      },
    ],
  }),
  result: (turn) => ({
    role: 'user',
    parts: [{ functionResponse: { name: 'get_weather', response: { output: places(turn) } } }],
  }),
  answer: (turn) => ({ role: 'model', parts: [{ text: prose(turn, 1100) }] }),
};

const step = ['question', 'call', 'result', 'answer'];

/** Returns `count` Contents as objects; `count` must be even, so that the last one is an answer. */
export function conversation(count) {
  const short = count % 4;
  const kinds = Array.from({ length: count }, (_, i) =>
    i < short ? ['question', 'answer'][i] : step[(i - short) % 4],
  );
  return kinds.map((kind, turn) => makers[kind](turn));
}

/** Returns the next Content of the user. */
export const next = (turn) => makers.question(turn);

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
