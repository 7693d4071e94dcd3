// Loads modules of web/gateway for tests of what the package does not export.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { wasmPreset } from '../../scripts/setup/cmake.mjs';
import { root } from '../../scripts/setup/run.mjs';

const built = (file) => join(root, 'build', wasmPreset, 'bindings', file);

// The Emscripten glue as it was built, and no loader: tests pass the WebAssembly file.
const ownCore = {
  name: 'own-core',
  setup(build) {
    build.onResolve({ filter: /^#check$/ }, ({ path }) => ({ path, namespace: 'check' }));
    build.onLoad({ filter: /.*/, namespace: 'check' }, () => ({
      contents: `export { default as create } from ${JSON.stringify(built('check.mjs'))};
        export const wasm = undefined;`,
      resolveDir: root,
    }));
  },
};

/**
 * Returns what these modules export.
 * @param {string[]} files names of modules in web/gateway, without extension
 */
export async function loadParts(files) {
  const folder = mkdtempSync(join(tmpdir(), 'strata-gateway-'));
  const outfile = join(folder, 'parts.mjs');
  const contents = files.map((file) => `export * from './${file}.js';`).join('\n');
  const stdin = { contents, resolveDir: join(root, 'web/gateway') };
  try {
    const options = { bundle: true, format: 'esm', logLevel: 'silent', platform: 'node' };
    await build({ stdin, outfile, plugins: [ownCore], ...options });
    return await import(outfile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the bytes of the gateway's core. */
export const gatewayWasm = () => readFileSync(built('check.wasm'));

/** Returns an instance of the gateway's core. */
export async function loadCore() {
  const { loadGatewayCore } = await loadParts(['../check/wasm-checker']);
  return loadGatewayCore({ wasm: gatewayWasm() });
}
