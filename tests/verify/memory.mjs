// The part "memory": very many turns, in threads and conversations that are disposed or left to the garbage collector.
import { join } from 'node:path';
import { prepare as preparePackage } from '../../scripts/setup/prepare.mjs';
import { root, run } from '../../scripts/setup/run.mjs';
import { filesBelow, hashFiles } from '../../scripts/setup/stamp.mjs';
import { workloads } from '../js/memory/workloads.mjs';

/** By how much the last tenth may exceed the middle one. */
const mostGrowth = 1.1;
const trial = join(root, 'tests', 'verify', 'memory', 'trial.mjs');

const turnsOf = (name) => {
  if (name === 'threads, disposed') return 1_000_000;
  return name.startsWith('threads') ? 100_000 : 20_000;
};

async function prepare() {
  await preparePackage('package');
  const folders = ['dist', 'tests/js/memory', 'tests/verify/memory'];
  const files = folders.flatMap((folder) => filesBelow(folder));
  return { key: hashFiles(files).slice(0, 12), context: undefined };
}

const megabytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`;

const measures = ['wasm', 'heap', 'rss'];

function checkSteady(middle, last) {
  for (const measure of measures) {
    const growth = last[measure] / middle[measure];
    if (growth > mostGrowth) {
      throw new Error(`${measure} grows by a factor of ${growth.toFixed(2)} in the second half`);
    }
  }
}

// The resident set moves by itself, so that one tenth says little.
const mostOf = (tenths) =>
  Object.fromEntries(
    measures.map((measure) => [measure, Math.max(...tenths.map((tenth) => tenth[measure]))]),
  );

const caseOf = (name) => ({
  name,
  async run() {
    const output = await run(process.execPath, [trial, name, String(turnsOf(name))]);
    const { appended, tenths } = JSON.parse(output);
    const chosen = [tenths.slice(0, 1), tenths.slice(3, 6), tenths.slice(7)].map(mostOf);
    checkSteady(chosen[1], chosen[2]);
    const cells = measures.map((measure) =>
      chosen.map((tenth) => megabytes(tenth[measure])).join(' → '),
    );
    return [name, String(appended), ...cells];
  },
});

/** @type {import('./run-part.mjs').Part} */
export default {
  title: 'Memory',
  about:
    'Each row: a process that appends turns to threads of 100 turns, or has conversations of 50 turns with tools, broken ' +
    'answers, refused requests and readers that leave. Memory after the first tenth of all turns, the most after the middle three and ' +
    'the most after the last three, each after a collection of the JavaScript heap. WebAssembly memory never shrinks, so it shows the most that was in use. ' +
    'The last may be at most 10 % above the middle, in each column.',
  head: ['Workload', 'Turns', 'WebAssembly memory', 'JavaScript heap', 'Resident set'],
  prepare,
  cases: Object.keys(workloads).map(caseOf),
};
