// Runs the portable tests in Bun, without those that all runtimes run alike.
import { join } from 'node:path';
import { root, run } from '../../scripts/setup/run.mjs';
import { consumer } from '../support/consumer.mjs';
import { testIn } from '../js/report.mjs';

const bun = join(root, 'node_modules', '.bin', 'bun');

testIn('Bun', async () => {
  const output = await run(bun, ['run', 'print-results.mjs'], { cwd: consumer });
  return JSON.parse(output.trim().split('\n').at(-1));
});
