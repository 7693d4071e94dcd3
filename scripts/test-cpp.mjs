// npm run test:cpp -- [native|asan|wasm] [ctest options]: the GoogleTest suite in one build, such as
// `npm run test:cpp -- native -R json`.
import { wasmPreset } from './setup/cmake.mjs';
import { prepare } from './setup/prepare.mjs';
import { SetupError, jobs, main, run } from './setup/run.mjs';

const [build = 'native', ...options] = process.argv.slice(2);
const preset = build === 'wasm' ? wasmPreset : build;

// GoogleTest's and ctest's own closing lines.
function closingLines(output) {
  const kept = /^\d+: \[ +(PASSED|SKIPPED) +\] \d|^\s*\d+\/\d+ Test|tests passed|^Total Test time/;
  return output.split('\n').filter((line) => kept.test(line));
}

// What failed, without the lines of what passed.
function withoutPassed(output) {
  const passed = /\[ RUN|\[ +OK |\[-+/;
  return output
    .split('\n')
    .filter((line) => !passed.test(line))
    .join('\n');
}

await prepare(build === 'wasm' ? 'wasm-tests' : build);
await main(async () => {
  const args = ['--preset', preset, '-V', '-j', String(jobs), '--no-tests=error', ...options];
  const output = await run('ctest', args).catch((error) => {
    throw new SetupError(`ctest --preset ${preset}\n${withoutPassed(error.message)}`);
  });
  console.log(`ctest --preset ${preset}`);
  for (const line of closingLines(output)) console.log(`  ${line.trim()}`);
});
