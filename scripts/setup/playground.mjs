// Builds and serves the playground with Vite, under its content security policy.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, root } from './run.mjs';
import { filesBelow, hashFiles, isFresh, packageSources, setStamp } from './stamp.mjs';

const settings = { configFile: join(root, 'vite.config.ts'), logLevel: 'warn' };
const index = join(root, 'build', 'playground', 'index.html');

function inputs() {
  const configuration = ['package.json', 'vite.config.ts', 'scripts/setup/page-notices.mjs'];
  return [
    ...filesBelow('web/playground'),
    ...filesBelow('web/ui'),
    ...packageSources(),
    ...filesBelow('build/generated', ['.js']),
    ...filesBelow('dist/wasm'),
    'dist/THIRD-PARTY-NOTICES.txt',
    ...configuration,
  ];
}

/** Builds web/playground into build/playground, unless it is up to date. The package must have been built. */
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
 * Serves build/playground, on the next free port if the given one is in use.
 * @param {{ host?: string, port?: number, strictPort?: boolean }} [options]
 * @returns its URLs, and a function that stops the server
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
