// The model of the trials: answers a conversation as written, with a signature of its own for each signed Part.
import { questions, texts } from './conversation.mjs';
import { userPartsOf } from './steps.mjs';

/** A signature that the emulator takes for real. */
async function makeSignature(createEmulator, model, seed) {
  const emulator = createEmulator({ seed });
  const response = await emulator(
    `https://generativelanguage.googleapis.com/v1beta/models/${model}:generateContent`,
    { method: 'POST', body: JSON.stringify({ contents: [{ parts: [{ text: 'Hello' }] }] }) },
  );
  const { candidates } = await response.json();
  return candidates[0].content.parts.at(-1).thoughtSignature;
}

/** What the model says before the calls of the second step. */
const between = 'I look once more.';

const thought = (text) => ({ text, thought: true });

/** The Parts of a step: the first call is signed. Where JSON is asked for, there is no text. */
function stepParts(calls, step, thoughtSignature, isJson) {
  const parts = calls.map((call, index) => ({
    functionCall: { id: `c${step}${index}f3a9d2`, ...call },
    ...(index === 0 && { thoughtSignature }),
  }));
  const said = step === 0 || isJson ? [] : [{ text: between }];
  return [thought('Both tools are needed.'), ...said, ...parts];
}

/** The Parts of a text. In a stream, the first answer's signature comes on a Part of its own without text. */
function textParts(text, thoughtSignature, { stream, turn }) {
  const half = stream || turn > 0 ? text.length >> 1 : 0;
  const first = half > 0 ? [{ text: text.slice(0, half) }] : [];
  const rest = text.slice(half);
  const isAlone = stream && turn === 0;
  const last = isAlone
    ? [{ text: rest }, { text: '', thoughtSignature }]
    : [{ text: rest, thoughtSignature }];
  return [thought('The results say it.'), ...first, ...last];
}

/** What the user says in a request of either API of Google. */
function partsOfUser(body) {
  if (body.input !== undefined) return userPartsOf(body);
  return (body.contents ?? []).filter(({ role }) => role !== 'model').flatMap(({ parts }) => parts);
}

/**
 * How many answers of the script a request of the Gemini API follows; undefined if it is none of the conversation,
 * such as a request that a client makes for purposes of its own.
 */
export function answersBefore(body, steps) {
  const declared = (body?.tools ?? []).flatMap((tool) => tool.functionDeclarations ?? [tool]);
  const names = declared.map(({ name }) => name);
  if (!steps.flat().every(({ name }) => names.includes(name))) return undefined;
  const parts = partsOfUser(body);
  const asks = (question) => (part) => part.text?.includes(question);
  const turn = questions.findLastIndex((question) => parts.some(asks(question)));
  if (turn < 0) return undefined;
  const results = parts.filter((part) => part.functionResponse).length;
  const calls = steps.flat().length;
  if (turn > 0 || results === calls) return steps.length + turn;
  return steps.findIndex((_, index) => results === steps.slice(0, index).flat().length);
}

/** The answers of the script in their order. Texts have the form of the trial's schema, where JSON is asked for. */
function answersOf(steps, signatures, { stream, body }) {
  const isJson = body.generationConfig?.responseMimeType === 'application/json';
  const called = steps.map((calls, step) => stepParts(calls, step, signatures[step], isJson));
  const said = texts.map((answer, turn) => {
    const text = isJson ? JSON.stringify({ answer }) : answer;
    return textParts(text, signatures[steps.length + turn], { stream, turn });
  });
  return [...called, ...said];
}

function responseOf(parts, isLast) {
  const usage = { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 };
  return {
    candidates: [
      { content: { parts, role: 'model' }, index: 0, ...(isLast && { finishReason: 'STOP' }) },
    ],
    usageMetadata: usage,
    modelVersion: 'gemini-3.8-flash',
    responseId: 'answer-of-the-script',
  };
}

// The API writes the numbers of arguments as doubles.
const toText = (response) => JSON.stringify(response).replace(/("days":\d+)/g, '$1.0');

function chunksOf(parts, stream) {
  if (!stream) return [toText(responseOf(parts, true))];
  return parts.map((part, index) => toText(responseOf([part], index === parts.length - 1)));
}

/** What the model says in its answers, as a history shows it: calls and texts, with their signatures. */
function itemsOf(steps, signatures) {
  const called = steps.map((calls, step) => [
    ...(step > 0 ? [{ text: between }] : []),
    ...calls.map((call, index) => ({ call, ...(index === 0 && { signature: signatures[step] }) })),
  ]);
  const said = texts.map((text, turn) => [{ text, signature: signatures[steps.length + turn] }]);
  return [...called, ...said];
}

/**
 * Makes a scripted model. `respond` is an option of `createEmulator`; `answers` lists the calls and the texts of each
 * answer.
 */
export async function scriptModel(createEmulator, steps, model) {
  const signatures = [];
  for (let i = 0; i < steps.length + texts.length; i++) {
    signatures.push(await makeSignature(createEmulator, model, `script ${i}`));
  }
  return {
    steps,
    answers: itemsOf(steps, signatures),
    respond(request) {
      const { body, stream } = request;
      const index = answersBefore(body, steps);
      if (index === undefined) return undefined;
      if (index < 0)
        return {
          error: { code: 400, status: 'INVALID_ARGUMENT', message: 'Some results are missing.' },
        };
      const parts = answersOf(steps, signatures, request)[index];
      const thinks = body.generationConfig?.thinkingConfig?.includeThoughts === true;
      return {
        chunks: chunksOf(
          parts.filter((part) => thinks || !part.thought),
          stream,
        ),
      };
    },
  };
}
