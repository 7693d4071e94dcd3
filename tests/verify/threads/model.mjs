// A model for conversations with tools, behind the rules of the emulator: each question says which tools it takes.
import { setTimeout as sleep } from 'node:timers/promises';

/** The functions that a caller declares. */
export const callerTools = [
  {
    name: 'look_up',
    description: 'Looks a marker up.',
    parameters: {
      type: 'OBJECT',
      properties: { marker: { type: 'STRING' } },
      required: ['marker'],
    },
  },
];

/**
 * Returns the text of a question. `rounds` has the names of the tools that each step calls.
 * @param {string} name
 * @param {string[][]} rounds
 */
export const questionText = (name, rounds) =>
  `Question ${name}: ${rounds.map((names) => names.join('+')).join(' ')}`;

/** Returns the markers of the calls of a question, each with the name of its tool. */
export const callsOf = (name, rounds) =>
  rounds.flatMap((names, round) =>
    names.map((tool, index) => ({ tool, marker: `${name}.${round}.${index}` })),
  );

function readQuestion(text) {
  const [, name, plan] = /^Question (\w+):(.*)$/.exec(text) ?? [];
  if (name === undefined) throw new Error(`not a question: ${text}`);
  const rounds = plan.split(' ').filter(Boolean);
  return { name, rounds: rounds.map((names) => names.split('+')) };
}

const response = (parts, more) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
  usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
  modelVersion: 'gemini-3.8-flash',
});

// Chunks with one Part each.
const inChunks = (parts) =>
  parts.map((part, index) =>
    response([part], index === parts.length - 1 ? { finishReason: 'STOP' } : {}),
  );

// Each answer has the number of its request: an answer that is given again is another one.
const callParts = (name, round, tools, number) =>
  tools.map((tool, index) => ({
    functionCall: {
      id: `c${number}-${index}`,
      name: tool,
      args: { marker: `${name}.${round}.${index}` },
    },
    ...(index === 0 && { thoughtSignature: btoa(`calls in answer ${number}`) }),
  }));

/** The text that answers a question. */
export const answerText = (name) => Array.from({ length: 8 }, (_, i) => `${name}/${i} `).join('');

const answerParts = (name, number) => [
  ...answerText(name)
    .split(/(?<= )/)
    .map((text) => ({ text })),
  { text: '', thoughtSignature: btoa(`answer ${number}`) },
];

/** Answers as the body's last question asks: with its next calls, and at last with a text. */
export function respond({ body, index }) {
  const { contents } = body;
  const isQuestion = ({ role, parts }) => role === 'user' && parts[0].text !== undefined;
  const last = contents.findLastIndex(isQuestion);
  const { name, rounds } = readQuestion(contents[last].parts[0].text);
  const round = contents.slice(last + 1).filter(({ role }) => role === 'user').length;
  const tools = rounds[round];
  return {
    chunks: inChunks(tools ? callParts(name, round, tools, index) : answerParts(name, index)),
  };
}

/** Counts the runs of tools by their markers. Each run has its number in its result. */
export class RunCounter {
  runs = new Map();

  /** Counts a run and returns its result. */
  run(marker) {
    const run = (this.runs.get(marker) ?? 0) + 1;
    this.runs.set(marker, run);
    return { marker, run };
  }
}

/**
 * Returns what answers the Worker's requests: the model, and the server of the deployment's tool.
 * @param {typeof import('prompt-strata/testing').createEmulator} createEmulator
 * @param {RunCounter} counter
 * @param {() => number} random
 */
export function createOutbound(createEmulator, counter, random) {
  const refused = [];
  const record = ({ status, path, body }) => {
    // A body that broke off with its process is no JSON. A process that lives would receive the error.
    if (status !== 200 && typeof body === 'object') refused.push({ status, path, body });
  };
  const emulator = createEmulator({ respond, record, delayMs: 8, chunkBytes: 200 });
  const outbound = async (request) => {
    if (new URL(request.url).hostname !== 'tools.test') return emulator(await standard(request));
    const result = counter.run(await request.text());
    // The process may end after a run whose result it never receives.
    await sleep(random() * 30);
    return Response.json(result);
  };
  return { outbound, refused };
}

// Miniflare has a class Request of its own.
async function standard(request) {
  const { url, method } = request;
  const init = { method, headers: [...request.headers] };
  if (method === 'GET') return new Request(url, init);
  return new Request(url, { ...init, body: await request.arrayBuffer() });
}
