// Runs the portable tests in Deno, without those that all runtimes run alike, and without permissions; the WebAssembly
// module is loaded with a source phase import.
import { join } from 'node:path';
import { root, run } from '../../scripts/setup/run.mjs';
import { consumer } from '../support/consumer.mjs';
import { testIn } from '../js/report.mjs';

const deno = join(root, 'node_modules', '.bin', 'deno');

testIn('Deno', async () => {
  const args = ['run', '--quiet', '--no-lock', '--node-modules-dir=manual', 'print-results.mjs'];
  return JSON.parse((await run(deno, args, { cwd: consumer })).trim().split('\n').at(-1));
});
