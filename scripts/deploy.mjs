// npm run deploy [-- --dry-run]: builds the package and the page, and deploys the Worker to your Cloudflare account.
// docs/deploy.md describes each step. `--dry-run` bundles into build/deploy and says what would be deployed.
import { readOptions } from './setup/options.mjs';
import { buildPlayground } from './setup/playground.mjs';
import { prepare } from './setup/prepare.mjs';
import { main, step } from './setup/run.mjs';
import { wrangler } from './setup/worker.mjs';

const usage = 'Usage: npm run deploy -- [--dry-run] [--env NAME]';

const nextSteps = `
The Worker is deployed. At first it answers every call with 503. Set its secrets:

  npx wrangler secret put GEMINI_API_KEY
  npx wrangler secret put CALLER_KEY

docs/deploy.md continues with the first message.`;

const dryRunEnd = `
Nothing was deployed: this was a dry run. The bundle is in build/deploy.`;

function readTask() {
  const options = { 'dry-run': { type: 'boolean' }, env: { type: 'string' } };
  const { 'dry-run': isDryRun = false, env } = readOptions(usage, options);
  return { isDryRun, environment: env === undefined ? [] : ['--env', env] };
}

await main(async () => {
  const { isDryRun, environment } = readTask();
  await prepare('package');
  await step('bundle the playground', buildPlayground);
  const dryRun = isDryRun ? ['--dry-run', '--outdir', 'build/deploy'] : [];
  // Wrangler may ask for a subdomain of workers.dev.
  await wrangler(['deploy', ...dryRun, ...environment], { ask: !isDryRun, show: true });
  console.log(isDryRun ? dryRunEnd : nextSteps);
});
