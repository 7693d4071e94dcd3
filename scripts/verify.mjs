// npm run verify -- <part> [--only TEXT] [--fresh]: runs the long checks that `npm test` leaves out, and writes what
// they found to docs/verification.md. A part that was interrupted continues where it stopped.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { main, root, SetupError } from './setup/run.mjs';
import { runPart } from './verify/run-part.mjs';
import { parts } from './verify/parts.mjs';

const usage = `npm run verify -- <part> [--only TEXT] [--fresh]

Parts:
${Object.entries(parts)
  .map(([name, { about }]) => `  ${name.padEnd(14)} ${about}`)
  .join('\n')}

  --only TEXT   run only the cases whose name contains TEXT
  --fresh       run all cases, also those that passed with this package`;

function readTask() {
  const options = {
    only: { type: 'string' },
    fresh: { type: 'boolean' },
    help: { type: 'boolean' },
  };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [name, ...others] = positionals;
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  if (!Object.hasOwn(parts, name ?? '') || others.length > 0) throw new SetupError(usage);
  return { name, only: values.only ?? '', fresh: values.fresh ?? false };
}

await main(async () => {
  const { name, ...options } = readTask();
  const part = await parts[name].read();
  const failed = await runPart(name, part, { ...options, folder: join(root, 'build', 'verify') });
  if (failed > 0) throw new SetupError(`${failed} cases failed`);
});
