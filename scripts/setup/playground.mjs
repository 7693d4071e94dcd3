// Why this file exists: the playground as it would stand on a server: built by Vite, under its content
// security policy, served from files.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, root } from './run.mjs';
import { filesBelow, hashFiles, isFresh, setStamp } from './stamp.mjs';

const settings = { configFile: join(root, 'vite.config.ts'), logLevel: 'warn' };
const index = join(root, 'build', 'playground', 'index.html');

function inputs() {
  const sources = ['sdk', 'emulator', 'playground'].flatMap((room) => filesBelow(`web/${room}`));
  return [...sources, ...filesBelow('dist'), 'web/index.ts', 'package.json', 'vite.config.ts'];
}

/** Builds web/playground into build/playground, unless it is there. The package must have been built. */
export async function buildPlayground() {
  const hash = hashFiles(inputs());
  if (isFresh('playground', hash) && existsSync(index)) return;
  const { build } = await import('vite');
  await build(settings).catch((error) => {
    throw new SetupError(error.message);
  });
  setStamp('playground', hash);
}

/**
 * Serves build/playground, on the next free port if that one is taken.
 * @param {{ host?: string, port?: number, strictPort?: boolean }} [options]
 * @returns its addresses, and what ends the server
 */
export async function servePlayground(options = {}) {
  const { preview } = await import('vite');
  const server = await preview({ ...settings, preview: { host: '127.0.0.1', ...options } }).catch(
    (error) => {
      throw new SetupError(error.message);
    },
  );
  const { local, network } = server.resolvedUrls;
  return { urls: [...local, ...network], close: () => server.close() };
}
