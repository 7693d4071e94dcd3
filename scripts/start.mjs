// npm start: the playground in a browser, with the emulator inside, until Ctrl-C. `npm start -- --port 8000`
// picks the port, `--host 0.0.0.0` lets other machines in.
import { parseArgs } from 'node:util';
import { prepare } from './setup/prepare.mjs';
import { buildPlayground, servePlayground } from './setup/playground.mjs';
import { SetupError, main, step } from './setup/run.mjs';

function readOptions() {
  const options = { port: { type: 'string' }, host: { type: 'string' } };
  try {
    const { host, port = '5173' } = parseArgs({ options }).values;
    if (/^\d{1,5}$/.test(port) && Number(port) < 65536)
      return { ...(host && { host }), port: Number(port) };
  } catch {
    // Told below.
  }
  throw new SetupError('Usage: npm start -- [--port NUMBER] [--host ADDRESS]');
}

await main(async () => {
  const options = readOptions();
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
