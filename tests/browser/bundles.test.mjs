// Tests that the WebAssembly file is found without settings in pages: unbundled, and built by Vite, esbuild and
// webpack. `npm run verify -- toolchains` tries all other bundlers and versions.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { bundleWithEsbuild, bundleWithWebpack, makeFolder } from '../js/bundles.mjs';
import { consumer } from '../support/consumer.mjs';
import { pageScript, pageWith, turnAt, turnInFolder } from '../support/turn-page.mjs';
import { fileIn, turnFrom } from '../support/turn-source.mjs';

const answered = /^answered 2: ./;
const moduleTag = (src) => `<script type="module" src="${src}"></script>`;

test('a script tag without an import map', async () => {
  makeFolder('script', {
    'turn.mjs': turnFrom(fileIn('/node_modules/prompt-strata/dist')),
    'main.mjs': pageScript,
    'index.html': pageWith(moduleTag('./main.mjs')),
  });
  // Served with the whole consumer, whose node_modules holds the package.
  assert.match(await turnInFolder(consumer, 'bundles/script/'), answered);
});

const viteFiles = { 'main.mjs': pageScript, 'index.html': pageWith(moduleTag('./main.mjs')) };
const viteSettings = { configFile: false, logLevel: 'silent', clearScreen: false };

test('Vite: development server', async () => {
  const { createServer } = await import('vite');
  const root = makeFolder('vite-dev', viteFiles);
  const server = await createServer({ ...viteSettings, root, server: { host: '127.0.0.1' } });
  try {
    await server.listen();
    assert.match(await turnAt(server.resolvedUrls.local[0]), answered);
  } finally {
    await server.close();
  }
});

test('Vite: build', async () => {
  const { build } = await import('vite');
  const root = makeFolder('vite-build', viteFiles);
  await build({ ...viteSettings, root });
  assert.match(await turnInFolder(join(root, 'dist')), answered);
});

const scriptTag = (src) => `<script src="${src}"></script>`;
const commonJsTag = (src) => `<script>var module = { exports: {} };</script>${scriptTag(src)}`;

for (const [format, tag] of [
  ['esm', moduleTag],
  ['cjs', commonJsTag],
  ['iife', scriptTag],
]) {
  test(`esbuild: ${format}`, async () => {
    const files = { 'main.mjs': pageScript, 'index.html': pageWith(tag('./out.js')) };
    const folder = makeFolder(`esbuild-page-${format}`, files);
    await bundleWithEsbuild(folder, 'out.js', { format, minify: true });
    assert.match(await turnInFolder(folder), answered);
  });
}

test('webpack', async () => {
  const files = { 'main.mjs': pageScript, 'index.html': pageWith(scriptTag('./out/main.cjs')) };
  const folder = makeFolder('webpack-page', files);
  await bundleWithWebpack(folder, 'web');
  assert.match(await turnInFolder(folder), answered);
});
