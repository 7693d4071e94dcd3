// Loads modules of web/worker in Node for tests of what needs no workerd. Nothing in them may load the core.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../scripts/setup/run.mjs';

const withoutCore = {
  name: 'without-core',
  setup(build) {
    build.onResolve({ filter: /^#(talk|templates|check)$/ }, ({ path }) => ({
      path,
      namespace: 'core',
    }));
    build.onLoad({ filter: /.*/, namespace: 'core' }, () => ({
      contents: 'export const create = undefined; export const wasm = undefined;',
    }));
  },
};

/**
 * Returns what a source exports that stands in web/worker.
 * @param {string} contents TypeScript
 * @param {object[]} [plugins] of esbuild
 */
export async function loadSource(contents, plugins = []) {
  const folder = mkdtempSync(join(tmpdir(), 'strata-worker-'));
  const outfile = join(folder, 'parts.mjs');
  const stdin = { contents, resolveDir: join(root, 'web/worker'), loader: 'ts' };
  try {
    const options = { bundle: true, format: 'esm', logLevel: 'silent', platform: 'node' };
    await build({ stdin, outfile, plugins: [...plugins, withoutCore], ...options });
    return await import(outfile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Returns what these modules export, `default` included.
 * @param {string[]} files names of modules in web/worker, without extension
 */
export async function loadParts(files) {
  const imports = files.map((file, index) => `import * as part${index} from './${file}.js';`);
  const all = files.map((_, index) => `...part${index}`);
  const contents = [...imports, `export const parts = { ${all.join(', ')} };`].join('\n');
  return (await loadSource(contents)).parts;
}
