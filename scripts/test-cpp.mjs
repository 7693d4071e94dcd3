// npm run test:cpp: runs the GoogleTest suites in one build, for example `npm run test:cpp -- native -R json`.
import { wasmPreset } from './setup/cmake.mjs';
import { closingLines, skipReasons, withoutPassed } from './setup/ctest-output.mjs';
import { readCommand } from './setup/options.mjs';
import { prepare } from './setup/prepare.mjs';
import { SetupError, jobs, main, run } from './setup/run.mjs';

const presets = { native: 'native', asan: 'asan', wasm: wasmPreset };

const usage = `Usage: npm run test:cpp -- [native | asan | wasm] [-R REGEX] [-E REGEX] [--repeat MODE:N]

  -R REGEX         run only the suites whose name matches REGEX
  -E REGEX         leave out the suites whose name matches REGEX
  --repeat MODE:N  run suites up to N times, as ctest does: until-fail:N, until-pass:N or after-timeout:N`;

// Returns the build, and the options of ctest.
function readTask() {
  const { values, positionals } = readCommand(usage, {
    'tests-regex': { type: 'string', short: 'R' },
    'exclude-regex': { type: 'string', short: 'E' },
    repeat: { type: 'string' },
  });
  const [build = 'native', ...others] = positionals;
  if (!Object.hasOwn(presets, build) || others.length > 0)
    throw new SetupError(`${positionals.join(' ')} is not one build\n\n${usage}`);
  return {
    build,
    options: Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]),
  };
}

await main(async () => {
  const { build, options } = readTask();
  const preset = presets[build];
  await prepare(build === 'wasm' ? 'wasm-tests' : build);
  const args = ['--preset', preset, '-V', '-j', String(jobs), '--no-tests=error', ...options];
  const output = await run('ctest', args).catch((error) => {
    throw new SetupError(`ctest --preset ${preset}\n${withoutPassed(error.message)}`);
  });
  console.log(`ctest --preset ${preset}`);
  for (const line of closingLines(output)) console.log(`  ${line.trim()}`);
  for (const reason of skipReasons(output)) console.log(`  skipped: ${reason}`);
});
