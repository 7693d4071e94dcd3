// Loads modules of web/gateway for tests of what the package does not export.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from '../../scripts/setup/run.mjs';

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
    const options = { bundle: true, format: 'esm', logLevel: 'silent', external: ['node:*'] };
    await build({ stdin, outfile, ...options });
    return await import(outfile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
