// npm run docs: builds the site of the documentation into build/site: docs/, an API reference from the doc comments,
// and the playground. `npm run docs -- --serve` then serves it until Ctrl+C.
import { readOptions, readPort } from './setup/options.mjs';
import { buildPlayground } from './setup/playground.mjs';
import { prepare } from './setup/prepare.mjs';
import { main, step, SetupError } from './setup/run.mjs';

const usage = `Usage: npm run docs -- [--base PATH] [--serve [--port NUMBER] [--host ADDRESS]]

  --base PATH   the path below which a server offers the site, such as /prompt-strata/ (default: /)
  --serve       serve the site after building it`;

function readTask() {
  const { serve, host, port, base } = readOptions(usage, {
    base: { type: 'string', default: '/' },
    serve: { type: 'boolean', default: false },
    port: { type: 'string', default: '5174' },
    host: { type: 'string', default: '127.0.0.1' },
  });
  if (!/^\/([\w.-]+\/)*$/.test(base)) {
    throw new SetupError(
      `--base must begin and end with /, not ${JSON.stringify(base)}\n\n${usage}`,
    );
  }
  return { base, serve, server: { host, port: readPort(port, usage) } };
}

await main(async () => {
  const { base, serve, server } = readTask();
  await prepare('package');
  // They use packages that the line above may have installed.
  const { buildSite, serveSite } = await import('../docs/.vitepress/site.mjs');
  await step('bundle the playground', buildPlayground);
  await step('build the site', () => buildSite(base));
  if (!serve) return console.log('\nThe site is in build/site.');
  const { urls, close } = await serveSite({ ...server, base });
  const end = () => close().finally(() => process.exit(0));
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  console.log(`\nThe site is at ${urls.join(' and ')}. Press Ctrl+C to stop.`);
});
