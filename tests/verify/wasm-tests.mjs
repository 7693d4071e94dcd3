// The part "wasm-tests": the GoogleTest suites of the core, compiled to WebAssembly and run in Node.
import { wasmPreset } from '../../scripts/setup/cmake.mjs';
import { withoutPassed } from '../../scripts/setup/ctest-output.mjs';
import { prepare as prepareTests } from '../../scripts/setup/prepare.mjs';
import { SetupError, run } from '../../scripts/setup/run.mjs';
import { filesBelow, hashFiles } from '../../scripts/setup/stamp.mjs';

const suites = filesBelow('tests/cpp', ['_test.cpp']).map((file) => file.split('/')[2]);

async function prepare() {
  await prepareTests('wasm-tests');
  const sources = ['src', 'tests/cpp', 'tests/cases', 'build/wasm/generated'];
  return { key: hashFiles(sources.flatMap((folder) => filesBelow(folder))).slice(0, 12) };
}

async function runSuite(suite) {
  const args = ['--preset', wasmPreset, '-V', '--no-tests=error', '-R', `^${suite}$`];
  const output = await run('ctest', args).catch((error) => {
    throw new SetupError(withoutPassed(error.message));
  });
  const number = (word) => new RegExp(`\\[ +${word} +\\] (\\d+) test`).exec(output)?.[1] ?? '0';
  return [`\`${suite}\``, number('PASSED'), number('SKIPPED')];
}

/** @type {import('./run-part.mjs').Part} */
export default {
  title: 'Core as WebAssembly',
  about:
    'Each row: the suite of a room, compiled with Emscripten and run in Node. A number or a size that has 32 bits there ' +
    'and 64 in the native suites of `npm test` would show here. Skipped are tests whose recordings cannot be read there.',
  head: ['Suite', 'Passed', 'Skipped'],
  prepare,
  cases: [...new Set(suites)].map((name) => ({ name, run: () => runSuite(name) })),
};
