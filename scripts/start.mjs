// npm start: builds and serves the playground until Ctrl+C. `npm start -- --port 8000` sets the port,
// `--host 0.0.0.0` allows access from other machines.
import { readOptions, readPort } from './setup/options.mjs';
import { prepare } from './setup/prepare.mjs';
import { buildPlayground, servePlayground } from './setup/playground.mjs';
import { main, step } from './setup/run.mjs';

const usage = 'Usage: npm start -- [--port NUMBER] [--host ADDRESS]';

function readServerOptions() {
  const options = { port: { type: 'string' }, host: { type: 'string' } };
  const { host, port = '5173' } = readOptions(usage, options);
  return { ...(host && { host }), port: readPort(port, usage) };
}

await main(async () => {
  const options = readServerOptions();
  await prepare('page');
  await step('bundle the playground', buildPlayground);
  const { urls, close } = await servePlayground(options);
  const end = () => close().finally(() => process.exit(0));
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  console.log(`
The playground is running at ${urls.join(' and ')}

No API key is required: an emulator in the page answers, and nothing is sent. Press Ctrl+C to stop.`);
});
