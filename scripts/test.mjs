// npm test: runs all checks and tests; only Node needs to be installed. All parts run even if one fails. The exit
// code is 1 if a part failed.
import { spawnSync } from 'node:child_process';
import { readOptions } from './setup/options.mjs';
import { prepare } from './setup/prepare.mjs';
import { main, root } from './setup/run.mjs';

const parts = {
  check: ['scripts/check.mjs', '--built'],
  'C++ under sanitizers': ['scripts/test-cpp.mjs', 'asan'],
  instructions: ['tests/gates/main.mjs'],
  JavaScript: ['scripts/test-js.mjs'],
};

function runPart([script, ...args]) {
  const command = [`${root}/${script}`, ...args];
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' }).status === 0;
}

await main(() => readOptions('Usage: npm test'));
const start = performance.now();
console.log('setup');
await prepare('lint-tools', 'browsers', 'gates', 'asan', 'package');

const failed = [];
for (const [name, command] of Object.entries(parts)) {
  console.log(`\n${name}`);
  if (!runPart(command)) failed.push(name);
}

const seconds = ((performance.now() - start) / 1000).toFixed(0);
console.log(
  failed.length > 0 ? `\nFAILED: ${failed.join(', ')}` : '\nall passed',
  `(${seconds} s)`,
);
process.exitCode = failed.length > 0 ? 1 : 0;
