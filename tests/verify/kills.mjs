// The part "kills": workerd is killed at random moments of conversations with tools.
import { prepare as preparePackage } from '../../scripts/setup/prepare.mjs';
import { filesBelow, hashFiles } from '../../scripts/setup/stamp.mjs';
import { bundleWorker } from '../../scripts/setup/worker.mjs';
import { deployment, runKills, scenarios } from './threads/kill-trial.mjs';

const killsInCase = 10;
const casesOfScenario = 5;

async function prepare() {
  await preparePackage('package');
  await bundleWorker(deployment);
  const folders = ['web', 'dist', 'tests/verify/threads'];
  const files = [...folders.flatMap((each) => filesBelow(each)), 'tests/support/thread-client.mjs'];
  return { key: hashFiles(files).slice(0, 12), context: await import('prompt-strata/testing') };
}

const phases = ['sending', 'answering', 'tools', 'posting', 'ended'];

function rowOf(name, counts) {
  const { phases: counted, questions, resumed, runs, repeated } = counts;
  const moments = phases.map((phase) => String(counted[phase] ?? 0));
  const numbers = [questions, resumed, runs, repeated].map(String);
  return [name, String(killsInCase), ...moments, ...numbers];
}

const casesOf = ([name, scenario]) =>
  Array.from({ length: casesOfScenario }, (_, index) => ({
    name: `${name}, ${index + 1}`,
    async run({ createEmulator }) {
      const options = { createEmulator, scenario, kills: killsInCase, random: Math.random };
      return rowOf(name, await runKills(options));
    },
  }));

// One row for a scenario: the cases only let an interrupted run continue.
function sumRows(results) {
  const rows = new Map();
  for (const { cells } of results) {
    const [name, ...numbers] = cells;
    const sum = rows.get(name) ?? numbers.map(() => 0);
    rows.set(
      name,
      sum.map((value, index) => value + Number(numbers[index])),
    );
  }
  return [...rows].map(([name, sum]) => [name, ...sum.map(String)]);
}

/** @type {import('./run-part.mjs').Part} */
export default {
  title: 'Kills',
  about:
    'Each row: conversations of one kind, during which workerd was killed with SIGKILL at a random moment of a send and ' +
    'started again with the same storage. The client repeats its message with the same `Idempotency-Key` or asks for ' +
    'the events that it lacks. After each kill: every acknowledged message is in the thread once and answered, every ' +
    'turn and result that was received is in the thread, every result is that of the last run of its tool (so no tool ' +
    'with a stored result ran again), no event was left out, came twice or changed, earlier turns kept their bytes, ' +
    'the model accepted every request, and the next send works.',
  head: [
    ...['Conversation', 'Kills', 'before the acknowledgment', 'while the model answers'],
    ...['while a tool runs', 'while results are sent', 'after the end'],
    ...['Sends', 'of these resumed', 'Tool runs', 'of these repeated without a stored result'],
  ],
  cases: Object.entries(scenarios).flatMap(casesOf),
  prepare,
  sumRows,
};
