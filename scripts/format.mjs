// npm run format: formats all files in place with clang-format and prettier.
import { readOptions } from './setup/options.mjs';
import { prepare } from './setup/prepare.mjs';
import { main, run, step } from './setup/run.mjs';
import { filesBelow } from './setup/stamp.mjs';

const cppFiles = ['src', 'bindings', 'tests'].flatMap((top) => filesBelow(top, ['.cpp', '.h']));

await main(() => readOptions('Usage: npm run format'));
await prepare('lint-tools');
await main(async () => {
  await step('clang-format', () => run('clang-format', ['-i', ...cppFiles]));
  const prettier = ['node_modules/prettier/bin/prettier.cjs', '--write', '--log-level=warn', '.'];
  await step('prettier', () => run(process.execPath, prettier));
});
