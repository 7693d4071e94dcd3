// npm run test:cpp -- [native|asan|wasm] [ctest options]: runs the GoogleTest suite in one build, for example
// `npm run test:cpp -- native -R json`.
import { wasmPreset } from './setup/cmake.mjs';
import { closingLines, skipReasons, withoutPassed } from './setup/ctest-output.mjs';
import { prepare } from './setup/prepare.mjs';
import { SetupError, jobs, main, run } from './setup/run.mjs';

const [build = 'native', ...options] = process.argv.slice(2);
const preset = build === 'wasm' ? wasmPreset : build;

await prepare(build === 'wasm' ? 'wasm-tests' : build);
await main(async () => {
  const args = ['--preset', preset, '-V', '-j', String(jobs), '--no-tests=error', ...options];
  const output = await run('ctest', args).catch((error) => {
    throw new SetupError(`ctest --preset ${preset}\n${withoutPassed(error.message)}`);
  });
  console.log(`ctest --preset ${preset}`);
  for (const line of closingLines(output)) console.log(`  ${line.trim()}`);
  for (const reason of skipReasons(output)) console.log(`  skipped: ${reason}`);
});
