// npm run verify -- <part>... [options]: runs the long checks that `npm test` leaves out, and writes what they found to
// docs/verification.md. A part that was interrupted continues where it stopped.
import { join } from 'node:path';
import { readCommand, readNumber } from '../../scripts/setup/options.mjs';
import { main, root, SetupError } from '../../scripts/setup/run.mjs';
import { lastRuns } from './overview.mjs';
import { parts } from './parts.mjs';
import { runPart } from './run-part.mjs';

const drawn = { seed: 20, count: 200 };

const usage = `Usage: npm run verify -- <part>... [--only TEXT] [--fresh] [--minutes N] [--seed N] [--count N]

Parts:
${Object.entries(parts)
  .map(([name, { about }]) => `  ${name.padEnd(14)} ${about}`)
  .join('\n')}

  --only TEXT   run only the cases whose name contains TEXT
  --fresh       run all cases, also those that passed with this package
  --minutes N   fuzz: how long each target has searched in the end (default: 60)
  --seed N      mutants: which ones are drawn (default: ${drawn.seed})
  --count N     mutants: how many are drawn (default: ${drawn.count})`;

const readMinutes = (text) => (text === undefined ? undefined : readNumber('minutes', text, usage));

function readTask() {
  const known = {
    only: { type: 'string' },
    fresh: { type: 'boolean' },
    minutes: { type: 'string' },
    seed: { type: 'string', default: String(drawn.seed) },
    count: { type: 'string', default: String(drawn.count) },
  };
  const { values, positionals } = readCommand(usage, known);
  if (positionals.length === 0) {
    console.log(`${usage}\n\n${lastRuns(parts)}`);
    process.exit(0);
  }
  const unknown = positionals.find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined) throw new SetupError(`${unknown} is not a part\n\n${usage}`);
  const { only = '', fresh = false } = values;
  const seed = readNumber('seed', values.seed, usage);
  const count = readNumber('count', values.count, usage, 1);
  const options = { only, fresh, minutes: readMinutes(values.minutes) };
  return { names: positionals, drawing: { seed, count }, options };
}

// Returns the number of cases that failed.
async function runOne(name, drawing, options) {
  const part = await parts[name].read(drawing);
  if (options.minutes !== undefined && !part.work)
    throw new SetupError(`${name} takes no --minutes\n\n${usage}`);
  return runPart(name, part, { ...options, folder: join(root, 'build', 'verify') });
}

await main(async () => {
  const { names, drawing, options } = readTask();
  let failed = 0;
  for (const name of names) {
    if (names.length > 1) console.log(`\n${name}`);
    failed += await runOne(name, drawing, options);
  }
  if (failed > 0) throw new SetupError(`${failed} cases failed`);
});
