// npm run fuzz: searches with each fuzz target for its share of the time (tests/fuzz/cpp), starting with the stored
// inputs. `npm run verify -- fuzz` searches for hours.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describeFinding, search } from './libfuzzer.mjs';
import { namesWith } from './targets.mjs';
import { readNumber, readOptions } from '../../../scripts/setup/options.mjs';
import { prepare } from '../../../scripts/setup/prepare.mjs';
import { SetupError, inParallel, main, root } from '../../../scripts/setup/run.mjs';

const usage = `Usage: npm run fuzz -- [--seconds N] [--only TEXT]

  --seconds N  time of all targets together (default: 60)
  --only TEXT  run only the targets whose name contains TEXT

The exit code is 1 if an input failed. Its file is named, and stays in build/fuzz-run/.`;

function readArguments() {
  const text = { type: 'string' };
  const { seconds = '60', only = '' } = readOptions(usage, { seconds: text, only: text });
  const names = namesWith(only);
  if (names.length === 0) throw new SetupError(`No target has ${only} in its name\n\n${usage}`);
  return { seconds: readNumber('seconds', seconds, usage, 1), names };
}

async function searchAll({ seconds, names }) {
  const share = Math.max(1, Math.round(seconds / names.length));
  const findings = [];
  await inParallel(names, async (name) => {
    const folder = join(root, 'build', 'fuzz-run', name);
    rmSync(join(folder, 'corpus'), { recursive: true, force: true });
    const result = await search(name, { seconds: share, folder });
    const count = result.executions.toLocaleString('en-US');
    const end = result.finding ? 'FAILED' : `${result.seconds} s, ${count} executions`;
    console.log(`  ${`${name} `.padEnd(42, '.')} ${end}`);
    if (result.finding) findings.push(describeFinding(name, result));
  });
  if (findings.length > 0) throw new SetupError(findings.join('\n\n'));
}

await main(async () => {
  const options = readArguments();
  await prepare('fuzz');
  await searchAll(options);
});
