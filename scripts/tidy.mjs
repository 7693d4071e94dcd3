// npm run tidy: runs clang-tidy on files of src/ and bindings/ that changed since they last passed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkChanged, compileCommands, flagsOf } from './setup/cpp-commands.mjs';
import { readOptions } from './setup/options.mjs';
import { prepare } from './setup/prepare.mjs';
import { main, root, run, step } from './setup/run.mjs';

async function tidy() {
  const commands = await compileCommands('native');
  const settings = readFileSync(join(root, '.clang-tidy'), 'utf8');
  return checkChanged('tidy', settings, commands, ({ file, command }) =>
    run('clang-tidy', ['--quiet', file, '--', ...flagsOf(command)]),
  );
}

await main(() => readOptions('Usage: npm run tidy'));
await prepare('lint-tools');
await main(() => step('clang-tidy', tidy));
