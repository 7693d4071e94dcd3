// npm start: the playground in a browser, with the emulator inside, until Ctrl-C. `npm start -- --port 8000`
// picks the port, `--host 0.0.0.0` lets other machines in.
import { readOptions, readPort } from './setup/options.mjs';
import { prepare } from './setup/prepare.mjs';
import { buildPlayground, servePlayground } from './setup/playground.mjs';
import { main, step } from './setup/run.mjs';

const usage = 'Usage: npm start -- [--port NUMBER] [--host ADDRESS]';

function placeOptions() {
  const options = { port: { type: 'string' }, host: { type: 'string' } };
  const { host, port = '5173' } = readOptions(usage, options);
  return { ...(host && { host }), port: readPort(port, usage) };
}

await main(async () => {
  const options = placeOptions();
  await prepare('package');
  await step('bundle the playground', buildPlayground);
  const { urls, close } = await servePlayground(options);
  const end = () => close().finally(() => process.exit(0));
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  console.log(`
The playground runs at ${urls.join(' and ')}

No key is needed: an emulator in the page answers, and nothing is sent. Ctrl-C ends it.`);
});
