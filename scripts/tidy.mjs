// npm run tidy: clang-tidy over src/, with the rules of .clang-tidy; only what changed since it was clean.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileCommands, readChanged } from './cpp-commands.mjs';
import { prepare } from './setup/prepare.mjs';
import { main, root, run, step } from './setup/run.mjs';

async function tidy() {
  const commands = await compileCommands('native');
  const settings = readFileSync(join(root, '.clang-tidy'), 'utf8');
  return readChanged('tidy', settings, commands, ({ file }) =>
    run('clang-tidy', ['--quiet', '-p', 'build/native', file]),
  );
}

await prepare('lint-tools');
await main(() => step('clang-tidy', tidy));
