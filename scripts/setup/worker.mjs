// Bundles the Worker with Wrangler, as a deployment does, and returns the options of the Miniflare that runs it
// locally.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { withLock } from './lock.mjs';
import { root, run } from './run.mjs';
import { filesBelow, hashFiles, isFresh, setStamp } from './stamp.mjs';

// A bundle with another deployment has a folder and a stamp of its own.
const nameOf = (deployment) =>
  deployment ? `worker-${basename(deployment, extname(deployment))}` : 'worker';
const folderOf = (deployment) => join(root, 'build', nameOf(deployment));
const scriptOf = (deployment) => join(folderOf(deployment), 'index.js');

/** Runs Wrangler and returns its output. */
export function wrangler(args, options = {}) {
  const bin = join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js');
  const env = { WRANGLER_SEND_METRICS: 'false', ...options.env };
  return run(process.execPath, [bin, ...args], { ...options, env });
}

/** Returns the settings in wrangler.jsonc. */
export async function readSettings() {
  // JSON with comments is an expression of JavaScript.
  const source = `export default ${readFileSync(join(root, 'wrangler.jsonc'), 'utf8')}`;
  return (await import(`data:text/javascript,${encodeURIComponent(source)}`)).default;
}

/**
 * Bundles web/worker below build/ unless the bundle is up to date. The package must have been built.
 * @param {string} [deployment] a module that replaces web/worker/deployment.ts, relative to the root
 */
export function bundleWorker(deployment) {
  return withLock(() => bundle(deployment), 'worker');
}

async function bundle(deployment) {
  const settings = [
    'wrangler.jsonc',
    'scripts/setup/worker.mjs',
    ...(deployment ? [deployment] : []),
  ];
  const inputs = [
    ...filesBelow('web'),
    ...filesBelow('build/generated', ['.js']),
    ...filesBelow('dist'),
    ...settings,
  ];
  const hash = hashFiles(inputs);
  if (isFresh(nameOf(deployment), hash) && existsSync(scriptOf(deployment))) return;
  // Wrangler requires the folder, whose files are no part of the bundle.
  mkdirSync(join(root, (await readSettings()).assets.directory), { recursive: true });
  // Wrangler leaves the modules of earlier bundles there.
  rmSync(folderOf(deployment), { recursive: true, force: true });
  const config = deployment ? ['--config', await writeSettings(deployment)] : [];
  await wrangler(['deploy', '--dry-run', '--outdir', folderOf(deployment), ...config]);
  setStamp(nameOf(deployment), hash);
}

// Wrangler replaces modules as its settings say. (Its option --alias has no effect.)
async function writeSettings(deployment) {
  const { main, assets, ...settings } = await readSettings();
  const file = `${folderOf(deployment)}.json`;
  const paths = {
    main: join(root, main),
    assets: { ...assets, directory: join(root, assets.directory) },
    // The package must have been built.
    build: undefined,
    alias: { './deployment.js': join(root, deployment) },
  };
  writeFileSync(file, JSON.stringify({ ...settings, ...paths }));
  return file;
}

/**
 * Returns the options with which Miniflare serves static files as a deployment does.
 * @param {string} [directory] Default: that of wrangler.jsonc, which `buildPlayground` fills
 */
export async function assetOptions(directory = undefined) {
  const { assets } = await readSettings();
  return {
    assets: {
      directory: directory ?? join(root, assets.directory),
      binding: assets.binding,
      routerConfig: {
        has_user_worker: true,
        invoke_user_worker_ahead_of_assets: assets.run_worker_first,
      },
      assetConfig: { not_found_handling: assets.not_found_handling },
    },
  };
}

/**
 * Returns the modules of a bundle for Miniflare, which would otherwise parse the script at each start to find them.
 * @param {string} script its path; the WebAssembly is next to it
 */
export const modulesOfBundle = (script) => [
  { type: 'ESModule', path: script },
  ...readdirSync(dirname(script))
    .filter((name) => name.endsWith('.wasm'))
    .map((name) => ({ type: 'CompiledWasm', path: join(dirname(script), name) })),
];

/**
 * Returns the options for `new Miniflare`. `cf: false` prevents a download of request metadata.
 * @param {Record<string, string>} [bindings] added to the `vars` of wrangler.jsonc, such as EMULATOR or CALLER_KEY
 * @param {string} [deployment] that of `bundleWorker`
 */
export async function miniflareOptions(bindings = {}, deployment = undefined) {
  const { compatibility_date: compatibilityDate, vars, durable_objects } = await readSettings();
  const objects = durable_objects.bindings.map(({ name, class_name: className }) => [
    name,
    { className, useSQLite: true },
  ]);
  return {
    host: '127.0.0.1',
    cf: false,
    compatibilityDate,
    bindings: { ...vars, ...bindings },
    durableObjects: Object.fromEntries(objects),
    modulesRoot: folderOf(deployment),
    modules: modulesOfBundle(scriptOf(deployment)),
  };
}
