// Tests that the package loads without settings in Node, and in bundles.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { run } from '../../scripts/setup/run.mjs';
import {
  bundleWithEsbuild,
  bundleWithWebpack,
  makeFolder,
  programScript,
  runAlone,
} from './bundles.mjs';

const answered = /^answered 2: ./m;
const files = { 'main.mjs': programScript };

test('import finds the file in Node', async () => {
  const folder = makeFolder('node', files);
  assert.match(await run(process.execPath, ['main.mjs'], { cwd: folder }), answered);
});

const required = `
const loads = [
  require('prompt-strata').load(),
  require('prompt-strata/templates').loadTemplates(),
  require('prompt-strata/check').loadChecker(),
];
const { StrataError } = require('prompt-strata');
Promise.all(loads).then(async (cores) => {
  const error = await require('prompt-strata/check').loadChecker({ wrong: 1 }).catch((thrown) => thrown);
  if (!(error instanceof StrataError)) throw new Error('the entries do not share their classes');
  if (typeof require('prompt-strata/node').FileStore !== 'function') throw new Error('no FileStore');
  if (typeof require('prompt-strata/mcp').McpServer !== 'function') throw new Error('no McpServer');
  if (require('prompt-strata/remote').StrataError !== StrataError) throw new Error('another StrataError');
  console.log(cores.length, 'loaded');
});
`;

for (const flags of [[], ['--no-experimental-require-module']]) {
  test(`require finds the file in Node ${flags}`, async () => {
    const folder = makeFolder('require', { 'main.cjs': required });
    const output = await run(process.execPath, [...flags, 'main.cjs'], { cwd: folder });
    assert.match(output, /^3 loaded/m);
  });
}

for (const [format, file] of [
  ['esm', 'out.mjs'],
  ['cjs', 'out.cjs'],
  ['iife', 'out.cjs'],
]) {
  test(`esbuild: a bundle for Node as ${format} contains the file`, async () => {
    const folder = makeFolder(`esbuild-${format}`, files);
    await bundleWithEsbuild(folder, `out/${file}`, { platform: 'node', format });
    assert.match(await runAlone(join(folder, 'out'), file, `esbuild-${format}`), answered);
  });
}

test('webpack: a bundle for Node finds the file', async () => {
  const folder = makeFolder('webpack-node', files);
  await bundleWithWebpack(folder, 'node');
  assert.match(await runAlone(join(folder, 'out'), 'main.cjs', 'webpack-node'), answered);
});

const remoteProgram = `
import { connectThread } from 'prompt-strata/remote';
const fetch = async () => Response.json({ id: 'thread_1', turns: 0 });
connectThread({ url: 'https://threads.example', fetch }).then(({ id }) => console.log('connected', id));
`;

test('prompt-strata/remote needs no file beside its bundle, whatever the platform', async () => {
  const folder = makeFolder('remote', { 'main.mjs': remoteProgram });
  for (const platform of ['browser', 'neutral', 'node']) {
    await bundleWithEsbuild(folder, `${platform}/main.mjs`, { platform, format: 'esm' });
    const name = `remote-${platform}`;
    assert.match(await runAlone(join(folder, platform), 'main.mjs', name), /^connected thread_1/m);
  }
  await bundleWithWebpack(folder, 'node');
  assert.match(await runAlone(join(folder, 'out'), 'main.cjs', 'remote-webpack'), /^connected/m);
});

test('a bundle for no platform contains the file, too', async () => {
  for (const format of ['esm', 'cjs', 'iife']) {
    const folder = makeFolder(`neutral-${format}`, files);
    const file = `main.${format === 'esm' ? 'mjs' : 'cjs'}`;
    await bundleWithEsbuild(folder, `out/${file}`, { platform: 'browser', format });
    assert.match(await runAlone(join(folder, 'out'), file, `neutral-${format}`), answered);
  }
});
