// The part "memory": very many turns, in threads and conversations that are disposed or left to the garbage collector.
import { join } from 'node:path';
import { prepare as preparePackage } from '../setup/prepare.mjs';
import { root, run } from '../setup/run.mjs';
import { filesBelow, hashFiles } from '../setup/stamp.mjs';
import { workloads } from '../../tests/js/memory/workloads.mjs';

/** By how much the last tenth may exceed the middle one. */
const mostGrowth = 1.1;
const trial = join(root, 'scripts', 'verify', 'memory', 'trial.mjs');

const turnsOf = (name) => (name === 'threads, disposed' ? 1_000_000 : 100_000);

async function prepare() {
  await preparePackage('package');
  const folders = ['dist', 'tests/js/memory', 'scripts/verify/memory'];
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

const caseOf = (name) => ({
  name,
  async run() {
    const output = await run(process.execPath, [trial, name, String(turnsOf(name))]);
    const { appended, tenths } = JSON.parse(output);
    const chosen = [tenths[0], tenths[4], tenths[9]];
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
    'answers, refused requests and readers that leave. Memory after the first, the middle and the last tenth of all turns, ' +
    'each after a collection of the JavaScript heap. WebAssembly memory never shrinks, so it shows the most that was in use. ' +
    'The last tenth may have at most 10 % more than the middle one, in each column.',
  head: ['Workload', 'Turns', 'WebAssembly memory', 'JavaScript heap', 'Resident set'],
  prepare,
  cases: Object.keys(workloads).map(caseOf),
};
