// npm run worker: web/worker in workerd on this machine, until Ctrl-C. PORT picks the port; with
// GEMINI_API_KEY in the environment the real API answers.
import { createServer } from 'node:net';
import { join } from 'node:path';
import { readOptions, readPort } from './setup/options.mjs';
import { prepare } from './setup/prepare.mjs';
import { main, root, SetupError, step } from './setup/run.mjs';
import { bundleWorker, miniflareOptions } from './setup/worker.mjs';

const usage = 'Usage: [PORT=NUMBER] [GEMINI_API_KEY=KEY] npm run worker';

const isFree = (port) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

async function freePort(first) {
  for (let port = first; port < Math.min(first + 50, 65536); port++)
    if (await isFree(port)) return port;
  throw new SetupError(`No port is free from ${first} on; PORT=… picks another`);
}

async function start(firstPort) {
  const { Miniflare } = await import('miniflare');
  const port = await freePort(firstPort);
  const key = process.env.GEMINI_API_KEY;
  const miniflare = new Miniflare({
    ...(await miniflareOptions(key ? { GEMINI_API_KEY: key } : {})),
    // Threads outlive the process, as they do on Cloudflare.
    durableObjectsPersist: join(root, 'build', 'chats'),
    port,
  });
  const { origin } = await miniflare.ready;
  const end = () => miniflare.dispose().then(() => process.exit(0));
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  return {
    origin,
    answers: key ? 'the Gemini API answers' : 'the emulator answers: no key needed',
  };
}

await main(async () => {
  readOptions(usage);
  const firstPort = readPort(process.env.PORT || '8787', usage);
  await prepare('package');
  await step('bundle the Worker', bundleWorker);
  const { origin, answers } = await start(firstPort);
  console.log(`
A conversation runs in workerd at ${origin} (${answers}). Try:

  curl -N ${origin}/chat -d '{"message":"What is the weather in Oslo?"}'
  curl -N ${origin}/chat/my-thread -d '{"message":"And in Rome?"}'

The second one keeps its thread here. Ctrl-C ends it.`);
});
