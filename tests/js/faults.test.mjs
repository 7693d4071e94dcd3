// Tests random conversations with faults at every wait. STRATA_FAULTS=<seed> runs one seed, STRATA_FAULTS=<from>-<to>
// those in between; `npm run verify -- faults` runs thousands.
import test from 'node:test';
import { pkg } from '../support/package.mjs';
import { prepareRuns, runSeed } from './faults/run.mjs';

const standardSeeds = '1-150';
const seedsInTest = 50;
// A shorter run that fails in the same way is looked for if one seed was asked for.
const attempts = 400;

const [first, last = first] = (process.env.STRATA_FAULTS ?? standardSeeds).split('-').map(Number);

const parts = await prepareRuns(pkg);

for (let from = first; from <= last; from += seedsInTest) {
  const to = Math.min(last, from + seedsInTest - 1);
  const name = `seeds ${from} to ${to}`;
  test(`random conversations with faults keep every promise, ${name}`, async () => {
    for (let seed = from; seed <= to; seed++) {
      await runSeed(parts, seed, { attempts: first === last ? attempts : 0 });
    }
  });
}
