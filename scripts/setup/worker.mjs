// Bundles the Worker with Wrangler, as a deployment does, and returns the options of the Miniflare that runs it
// locally.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './run.mjs';
import { filesBelow, hashFiles, isFresh, setStamp } from './stamp.mjs';

const out = join(root, 'build', 'worker');
const script = join(out, 'index.js');

// TypeScript parses JSON with comments.
async function readSettings() {
  const { default: typescript } = await import('typescript');
  const { readFile } = typescript.sys;
  return typescript.readConfigFile(join(root, 'wrangler.jsonc'), readFile).config;
}

/** Bundles web/worker into build/worker unless the bundle is up to date. The package must have been built. */
export async function bundleWorker() {
  const hash = hashFiles([...filesBelow('web'), ...filesBelow('dist'), 'wrangler.jsonc']);
  if (isFresh('worker', hash) && existsSync(script)) return;
  const wrangler = join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js');
  const args = [wrangler, 'deploy', '--dry-run', '--outdir', out];
  await run(process.execPath, args, { env: { WRANGLER_SEND_METRICS: 'false' } });
  setStamp('worker', hash);
}

/**
 * Returns the options for `new Miniflare`. `cf: false` prevents a download of request metadata.
 * @param {Record<string, string>} [bindings] added to the `vars` of wrangler.jsonc, such as EMULATOR or CALLER_KEY
 */
export async function miniflareOptions(bindings = {}) {
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
    modules: true,
    modulesRoot: out,
    scriptPath: script,
    modulesRules: [
      { type: 'ESModule', include: ['**/*.js'] },
      { type: 'CompiledWasm', include: ['**/*.wasm'] },
    ],
  };
}
