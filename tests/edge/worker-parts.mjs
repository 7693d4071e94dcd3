// Loads modules of web/worker in Node for tests of what needs no workerd. Nothing in them may load the core.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../scripts/setup/run.mjs';

const withoutCore = {
  name: 'without-core',
  setup(build) {
    build.onResolve({ filter: /^#/ }, ({ path }) => ({ path, namespace: 'core' }));
    build.onLoad({ filter: /.*/, namespace: 'core' }, () => ({
      contents: 'export default undefined; export const wasm = undefined;',
    }));
  },
};

/**
 * Returns what these modules export, `default` included.
 * @param {string[]} files names of modules in web/worker, without extension
 */
export async function loadParts(files) {
  const folder = mkdtempSync(join(tmpdir(), 'strata-worker-'));
  const outfile = join(folder, 'parts.mjs');
  const imports = files.map((file, index) => `import * as part${index} from './${file}.js';`);
  const all = files.map((_, index) => `...part${index}`);
  const contents = [...imports, `export const parts = { ${all.join(', ')} };`].join('\n');
  const stdin = { contents, resolveDir: join(root, 'web/worker') };
  try {
    const options = { bundle: true, format: 'esm', logLevel: 'silent', platform: 'node' };
    await build({ stdin, outfile, plugins: [withoutCore], ...options });
    const { parts } = await import(outfile);
    return parts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
