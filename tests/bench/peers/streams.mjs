// Measures reading a streamed answer with each client.
import { SetupError } from '../../../scripts/setup/run.mjs';
import { spread } from '../measure.mjs';
import { times, withSpread } from '../../support/table.mjs';
import { names, namesWithout, reference } from './candidates.mjs';
import { measureInTurns, withProcesses } from './pool.mjs';

const streams = [
  { chunks: 2000, chunksPerRead: 8, count: 3 },
  { chunks: 2000, chunksPerRead: 1, count: 3 },
  { chunks: 10_000, chunksPerRead: 8, count: 1 },
];
const rounds = 15;
const warm = { leastMs: 1500, leastRuns: 4 };

const own = names['prompt-strata'];
const others = namesWithout('thread', 'prompt-strata');
const trials = {
  thread: { client: 'thread', name: 'prompt-strata, `response()` alone', use: 'stream' },
  send: { client: 'prompt-strata', name: `${own}, \`send\``, use: 'stream' },
  textStream: { client: 'prompt-strata', name: `${own}, \`textStream\``, use: 'streamText' },
  ...Object.fromEntries(
    Object.entries(others).map(([client, name]) => [client, { client, name, use: 'stream' }]),
  ),
};

/** What must hold: with the first stream, this trial is this many times faster than the chats of @google/genai. */
const goals = [
  { key: 'thread', least: 5 },
  { key: 'send', least: 5.5 },
];

async function measureStream(processes, { count, ...stream }) {
  for (const [key, process] of Object.entries(processes)) {
    const { use, name } = trials[key];
    const { isComplete } = await process.ask('openStream', { ...stream, use, warm });
    if (!isComplete) throw new SetupError(`${name} does not return the whole text`);
  }
  const samples = await measureInTurns(processes, { rounds, count });
  return Object.entries(samples).map(([key, all]) => ({
    ...{ key, ...stream, whole: spread(all.map(({ whole }) => whole)) },
  }));
}

/** Measures all streams. Returns one result for each client and stream. */
export const measureStreams = ({ folder }) =>
  withProcesses(folder, trials, async (processes) => {
    const results = [];
    for (const stream of streams) results.push(...(await measureStream(processes, stream)));
    return results;
  });

const number = (value) => value.toLocaleString('en-US');
const titleOf = ({ chunks, chunksPerRead }) =>
  `${number(chunks)} chunks in ${number(chunks / chunksPerRead)} reads`;

/** Returns the table. */
export function streamTable(measured) {
  const at = (key, { chunks, chunksPerRead }) =>
    measured.find(
      (each) => each.key === key && each.chunks === chunks && each.chunksPerRead === chunksPerRead,
    ).whole;
  const ratio = (key, stream) => at(reference, stream).median / at(key, stream).median;
  const [first] = streams;
  return {
    title: 'Peers: a streamed answer',
    about:
      'From the message until the whole text is there and, for those that keep one, the answer is in the history. ' +
      '`response()` alone gets the bytes directly; all others read the body of a `Response`. "chats ÷ this": how ' +
      'many times faster the row is than the chats of `@google/genai`, for the first column.',
    head: ['client', ...streams.map(titleOf), 'chats ÷ this'],
    rows: Object.entries(trials).map(([key, { name }]) => [
      name,
      ...streams.map((stream) => withSpread(at(key, stream))),
      times(ratio(key, first)),
    ]),
    verdicts: goals.map(({ key, least }) => ({
      ok: ratio(key, first) >= least,
      text:
        `${titleOf(first)}, ${trials[key].name}: ${times(ratio(key, first))} as fast as the chats of ` +
        `@google/genai, at least ${least}`,
    })),
  };
}
