// npm run check: runs all static checks: format, lint, types, includes, words, and whether Emscripten's compiler
// accepts the core. `--built` skips the last, for runs that build the core anyway.
import { join } from 'node:path';
import { checkIncludes } from './check-includes.mjs';
import { checkPaths } from './check-paths.mjs';
import { checkTree } from './check-tree.mjs';
import { checkWords } from './check-words.mjs';
import { readOptions } from './setup/options.mjs';
import { prepare } from './setup/prepare.mjs';
import { SetupError, inParallel, lineOf, main, run } from './setup/run.mjs';
import { filesBelow } from './setup/stamp.mjs';

const usage = `Usage: npm run check -- [--built]

  --built  do not check the core with em++, because another step compiles it`;

const cppFiles = ['src', 'bindings', 'tests'].flatMap((top) => filesBelow(top, ['.cpp', '.h']));
const caches = 'build/check';
// By content: a checkout sets the times of all files.
const cached = (tool) => [
  ...['--cache', '--cache-strategy', 'content'],
  ...['--cache-location', join(caches, `${tool}.json`)],
];
// A larger space for young objects: their collection takes a tenth of ESLint's time.
const node = (tool, ...args) =>
  run(process.execPath, ['--max-semi-space-size=64', `node_modules/${tool}`, ...args]);

// The longest come first.
const checks = {
  eslint: () => node('eslint/bin/eslint.js', '--max-warnings=0', ...cached('eslint')),
  prettier: () =>
    node('prettier/bin/prettier.cjs', '--check', '--log-level=warn', ...cached('prettier'), '.'),
  'tsc --noEmit': () => node('typescript-native/bin/tsc'),
  'top level': checkTree,
  'rooms and arrows': checkIncludes,
  'dead paths': checkPaths,
  'replaced words': checkWords,
  'clang-format': () => run('clang-format', ['--dry-run', '-Werror', ...cppFiles]),
};

async function runCheck(name, check, failures) {
  const start = performance.now();
  let end = '';
  try {
    await check();
  } catch (error) {
    failures.push(`${name}\n${error.message}`);
    end = '  FAILED';
  }
  console.log(lineOf(name, start, end));
}

// Most checks use one processor, so some run at once.
async function runChecks() {
  const failures = [];
  await inParallel(Object.entries(checks), ([name, check]) => runCheck(name, check, failures));
  if (failures.length > 0) throw new SetupError(failures.join('\n\n'));
}

await main(async () => {
  const { built = false } = readOptions(usage, { built: { type: 'boolean' } });
  await prepare('lint-tools', ...(built ? [] : ['syntax']));
  await runChecks();
});
