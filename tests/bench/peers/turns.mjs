// Measures a turn of each client as the conversation grows.
import { SetupError } from '../../../scripts/setup/run.mjs';
import { spread } from '../measure.mjs';
import { bytes, times, withSpread } from '../../support/table.mjs';
import { names, reference } from './candidates.mjs';
import { model } from './chat.mjs';
import { history } from './history.mjs';
import { measureInTurns, withProcesses } from './pool.mjs';
import { answerText } from './upstream-answer.mjs';

// Before it measures, a client runs at least `leastRuns` turns, and for `leastMs` milliseconds.
const sizes = [
  { turns: 10, count: 20, leastRuns: 2000 },
  { turns: 100, count: 10, leastRuns: 500 },
  { turns: 1000, count: 3, leastRuns: 60 },
  { turns: 5000, count: 1, leastRuns: 6 },
];
const rounds = 21;
const leastMs = 1500;
const streamed = `${reference}, streamed`;

const trials = {
  ...Object.fromEntries(
    Object.entries(names).map(([client, name]) => [client, { client, name, use: 'ask' }]),
  ),
  [streamed]: { client: reference, name: `${names[reference]}, streamed`, use: 'stream' },
};

/** What must hold: at this many turns, this client is this many times faster than the chats of @google/genai. */
const goals = [
  { client: 'thread', turns: 1000, least: 25 },
  { client: 'prompt-strata', turns: 1000, least: 15 },
  { client: 'thread', turns: 5000, least: 45 },
];

/** What must hold until the request: at this many turns, this client takes at most this many times what another does. */
const requestGoals = [
  { client: 'prompt-strata', turns: 10, most: 1.2, of: reference },
  { client: 'thread', turns: 10, most: 1.8, of: 'plain' },
];

// Each client must send the whole history with its signatures, in about as many bytes.
function checkRequests(opened, turns) {
  const { request: expected } = opened.plain;
  for (const [key, { answer, request }] of Object.entries(opened)) {
    const isWhole = request.contents === turns + 1 && request.signatures === expected.signatures;
    const share = request.bytes / expected.bytes;
    if (answer !== answerText || !isWhole || share < 0.8 || share > 1.25)
      throw new SetupError(
        `${trials[key].name} does other work: it sends ${JSON.stringify(request)}, plain JSON is ` +
          `${JSON.stringify(expected)}, and it returns ${JSON.stringify(answer)}`,
      );
  }
}

async function measureSize(processes, { turns, count, leastRuns }) {
  const warm = { leastMs, leastRuns };
  const opened = {};
  for (const [key, process] of Object.entries(processes))
    opened[key] = await process.ask('openTurns', { turns, use: trials[key].use, warm });
  checkRequests(opened, turns);
  const samples = await measureInTurns(processes, { rounds, count });
  const of = (key, name) => spread(samples[key].map((sample) => sample[name]));
  return Object.keys(processes).map((key) => ({
    ...{ key, turns, bytes: opened[key].request.bytes },
    ...{ whole: of(key, 'whole'), request: of(key, 'request') },
  }));
}

function checkContext(strata) {
  const { turns } = sizes.at(-1);
  const thread = strata.thread({ model });
  for (const content of history(turns)) thread.append(content);
  const { contextTokens } = strata.modelLimits(model);
  if (thread.tokens > contextTokens)
    throw new SetupError(`${turns} turns have ${thread.tokens} tokens, more than ${contextTokens}`);
  return thread.tokens;
}

/** Measures all sizes. Returns one result for each client and size. */
export async function measureTurns({ strata, folder }) {
  const tokens = checkContext(strata);
  const measured = await withProcesses(folder, trials, async (processes) => {
    const results = [];
    for (const size of sizes) results.push(...(await measureSize(processes, size)));
    return results;
  });
  return { tokens, measured };
}

const at = (measured, key, turns) =>
  measured.find((each) => each.key === key && each.turns === turns);

/** Returns how many times faster a client is than the chats of @google/genai. */
const ratioTo = (measured, key, turns, interval) =>
  at(measured, reference, turns)[interval].median / at(measured, key, turns)[interval].median;

function rowsOf(measured, interval) {
  return Object.entries(trials).map(([key, { name }]) => [
    name,
    ...sizes.map(({ turns }) => withSpread(at(measured, key, turns)[interval])),
    ...[1000, 5000].map((turns) => times(ratioTo(measured, key, turns, interval))),
    bytes(at(measured, key, 1000).bytes),
  ]);
}

const number = (value) => value.toLocaleString('en-US');
const head = [
  'client',
  ...sizes.map(({ turns }) => `${number(turns)} turns`),
  ...['chats ÷ this, 1,000', 'chats ÷ this, 5,000', 'body, 1,000'],
];

function verdictOf(measured, { client, turns, least }) {
  const ratio = ratioTo(measured, client, turns, 'whole');
  const text =
    `${number(turns)} turns, ${names[client]}: ${times(ratio)} as fast as the chats of @google/genai, ` +
    `at least ${least}`;
  return { ok: ratio >= least, text };
}

function requestVerdictOf(measured, { client, turns, most, of }) {
  const timeOf = (key) => at(measured, key, turns).request.median;
  const ratio = timeOf(client) / timeOf(of);
  const text =
    `${number(turns)} turns until the request, ${names[client]}: ${times(ratio)} the time of ` +
    `${names[of]}, at most ${most}`;
  return { ok: ratio <= most, text };
}

/** Returns the tables. */
export function turnTables({ tokens, measured }) {
  return [
    {
      title: 'Peers: a turn',
      about:
        'From the message until the answer is in the history, with a `fetch` that answers at once: median of at ' +
        'least 21, in brackets the middle half. The clients take turns; each does the same work for 100 ms before it ' +
        'is measured, because engines give memory back while they wait. A history has questions, signed calls, ' +
        'results and answers; 5,000 ' +
        `turns have ${number(Math.round(tokens / 1000))},000 tokens by the estimate. Each client runs in a process ` +
        'of its own. "thread alone" appends the question, assembles the request, reads the ' +
        'answer with `response()` and appends it. The rows of prompt-strata and "streamed" read a streamed answer ' +
        'of one chunk, the others one that is not streamed, as `ask`, `sendMessage`, `generateContent`, ' +
        '`generateText`, `invoke` and `generate` do. Clients without a history get theirs handed over. "chats ÷ ' +
        'this": how many times faster the row is than the chats of `@google/genai`.',
      head,
      rows: rowsOf(measured, 'whole'),
      verdicts: goals.map((goal) => verdictOf(measured, goal)),
    },
    {
      title: 'Peers: until the request',
      about:
        'The same turns, until `fetch` is called (the thread: until the bytes of the request are there). All but ' +
        'the first three rows hand over a string, which `fetch` has yet to encode; a `fetch` copies the bytes of ' +
        'the others. Neither is measured.',
      head,
      rows: rowsOf(measured, 'request'),
      verdicts: requestGoals.map((goal) => requestVerdictOf(measured, goal)),
    },
  ];
}
