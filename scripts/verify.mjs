// npm run verify -- <part> [--only TEXT] [--fresh] [--seed N] [--count N]: runs the long checks that `npm test` leaves
// out, and writes what they found to docs/verification.md. A part that was interrupted continues where it stopped.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readNumber } from './setup/options.mjs';
import { main, root, SetupError } from './setup/run.mjs';
import { lastRuns } from './verify/overview.mjs';
import { parts } from './verify/parts.mjs';
import { runPart } from './verify/run-part.mjs';

const drawn = { seed: 20, count: 200 };

const usage = `npm run verify -- <part> [--only TEXT] [--fresh] [--seed N] [--count N]

Parts:
${Object.entries(parts)
  .map(([name, { about }]) => `  ${name.padEnd(14)} ${about}`)
  .join('\n')}

  --only TEXT   run only the cases whose name contains TEXT
  --fresh       run all cases, also those that passed with this package
  --seed N      mutants: which ones are drawn (default: ${drawn.seed})
  --count N     mutants: how many are drawn (default: ${drawn.count})`;

function readTask() {
  const options = {
    only: { type: 'string' },
    fresh: { type: 'boolean' },
    seed: { type: 'string', default: String(drawn.seed) },
    count: { type: 'string', default: String(drawn.count) },
    help: { type: 'boolean' },
  };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [name, ...others] = positionals;
  if (name === undefined && !values.help) {
    console.log(`${usage}\n\n${lastRuns(parts)}`);
    process.exit(0);
  }
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  if (!Object.hasOwn(parts, name ?? '') || others.length > 0) throw new SetupError(usage);
  const seed = readNumber('seed', values.seed, usage);
  const count = readNumber('count', values.count, usage, 1);
  return { name, only: values.only ?? '', fresh: values.fresh ?? false, seed, count };
}

await main(async () => {
  const { name, seed, count, ...options } = readTask();
  const part = await parts[name].read({ seed, count });
  const failed = await runPart(name, part, { ...options, folder: join(root, 'build', 'verify') });
  if (failed > 0) throw new SetupError(`${failed} cases failed`);
});
