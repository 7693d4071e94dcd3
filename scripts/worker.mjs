// Runs web/worker in workerd locally until Ctrl-C (`npm run worker`). PORT sets the first port to try. With
// GEMINI_API_KEY in the environment the Gemini API answers, otherwise the emulator. Callers send CALLER_KEY, the
// dashboard takes GATEWAY_ADMIN_KEY; each is random unless it is set. Pages of ALLOWED_ORIGINS may call.
import { createServer } from 'node:net';
import { join } from 'node:path';
import { readOptions, readPort } from './setup/options.mjs';
import { buildPlayground } from './setup/playground.mjs';
import { prepare } from './setup/prepare.mjs';
import { main, root, SetupError, step } from './setup/run.mjs';
import { bindingsFor, instructions, serveWorker } from './setup/serve-worker.mjs';
import { bundleWorker } from './setup/worker.mjs';

const usage =
  'Usage: [PORT=NUMBER] [GEMINI_API_KEY=KEY] [CALLER_KEY=KEY] [ALLOWED_ORIGINS=ORIGIN,…] npm run worker';

const isFree = (port) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

async function freePort(first) {
  for (let port = first; port < Math.min(first + 50, 65536); port++)
    if (await isFree(port)) return port;
  throw new SetupError(`No free port found from ${first} on; set PORT to another`);
}

async function start(firstPort, bindings) {
  const port = await freePort(firstPort);
  // Threads persist after the process ends, as on Cloudflare.
  const miniflare = await serveWorker(bindings, { port, threads: join(root, 'build', 'threads') });
  const { origin } = await miniflare.ready;
  const stop = () => miniflare.dispose().then(() => process.exit(0));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return origin;
}

await main(async () => {
  readOptions(usage);
  const firstPort = readPort(process.env.PORT || '8787', usage);
  const bindings = bindingsFor(process.env);
  await prepare('package');
  await step('bundle the playground', buildPlayground);
  await step('bundle the Worker', () => bundleWorker());
  console.log(instructions(await start(firstPort, bindings), bindings));
});
