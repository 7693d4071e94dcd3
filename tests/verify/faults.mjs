// The part "faults": random conversations with cuts, errors, aborts, duplicates and delays at every wait.
import { prepare as preparePackage } from '../../scripts/setup/prepare.mjs';
import { filesBelow, hashFiles } from '../../scripts/setup/stamp.mjs';

const seedsInCase = 250;
const numberOfCases = 4;
/** Runs that look for a shorter one after a failure. */
const attempts = 400;

/** What is counted, by the names of the columns. */
const columns = {
  Conversations: 'conversations',
  Sends: 'sends',
  Requests: 'requests',
  'Tool runs': 'toolRuns',
  Faults: 'faults',
  Aborts: 'aborts',
  'Ended processes': 'crashes',
  'Steps in random order': 'steps',
};

async function prepare() {
  await preparePackage('package');
  const files = ['dist', 'tests/js/faults'].flatMap((folder) => filesBelow(folder));
  const { pkg } = await import('../support/package.mjs');
  const context = { ...(await import('../js/faults/run.mjs')), pkg };
  return { key: hashFiles(files).slice(0, 12), context };
}

const sumOf = (rows, name) => rows.reduce((sum, row) => sum + Number(row[name]), 0);

const caseOf = (_, index) => {
  const [first, last] = [index * seedsInCase + 1, (index + 1) * seedsInCase];
  return {
    name: `seeds ${first} to ${last}`,
    async run({ prepareRuns, runSeed, pkg }) {
      const parts = await prepareRuns(pkg);
      const counts = [];
      for (let seed = first; seed <= last; seed++) {
        counts.push({ conversations: 1, ...(await runSeed(parts, seed, { attempts })) });
      }
      return Object.values(columns).map((name) => String(sumOf(counts, name)));
    },
  };
};

// One row: the cases only let an interrupted run continue.
const sumRows = (results) => [
  Object.keys(columns).map((_, i) =>
    String(
      sumOf(
        results.map(({ cells }) => cells),
        i,
      ),
    ),
  ),
];

/** @type {import('./run-part.mjs').Part} */
export default {
  title: 'Faults',
  about:
    'Conversations whose options, answers, tools, stores, faults and order of steps are chosen at random, one for each ' +
    'seed from 1 on; one in seven is with a thread of a Worker, and one in seven of the others through the gateway. Time is ' +
    'virtual: whatever waits (for the network, a store, a tool, a reader, a timer) goes on when the seed says so. ' +
    'Requests are refused, lost, repeated or never answered; bodies are cut at any byte, break, stall, contain an error ' +
    'or go on after an abort; stores fail before or after a write; tools throw, hang, answer twice, with no JSON or after ' +
    'an abort; users abort, leave, send a second message, and call other methods at any step; processes end and the next ' +
    'one opens the store. After each send: the emulator has refused no request, the history is valid and contains every ' +
    'acknowledged turn once, earlier turns have their bytes and every signature its Part, nothing has an unknown origin, ' +
    'each call has one response, which is the one that was reported, the saved and the stored thread load to the same ' +
    'bytes, the send has ended in a documented way with one last event, and no timer, listener, connection, rejection ' +
    'or handle of WebAssembly is left.',
  head: Object.keys(columns),
  prepare,
  cases: Array.from({ length: numberOfCases }, caseOf),
  sumRows,
};
