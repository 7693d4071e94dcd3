// npm run worker: web/worker in workerd on this machine, until Ctrl-C. PORT picks the port; with
// GEMINI_API_KEY in the environment the real API answers.
import { createServer } from 'node:net';
import { join } from 'node:path';
import { prepare } from './setup/prepare.mjs';
import { main, root, SetupError, step } from './setup/run.mjs';
import { bundleWorker, miniflareOptions } from './setup/worker.mjs';

const isFree = (port) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

async function freePort(first) {
  for (let port = first; port < first + 50; port++) if (await isFree(port)) return port;
  throw new SetupError(`No port is free from ${first} on; PORT=… picks another`);
}

async function start() {
  const { Miniflare } = await import('miniflare');
  const port = await freePort(Number(process.env.PORT) || 8787);
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

await prepare('package');
await main(async () => {
  await step('bundle the Worker', bundleWorker);
  const { origin, answers } = await start();
  console.log(`
A conversation runs in workerd at ${origin} (${answers}). Try:

  curl -N ${origin}/chat -d '{"message":"What is the weather in Oslo?"}'
  curl -N ${origin}/chat/my-thread -d '{"message":"And in Rome?"}'

The second one keeps its thread here. Ctrl-C ends it.`);
});
