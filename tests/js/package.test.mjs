// The package as it is published: what stands in the tarball, and that a stranger can use it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root, run } from '../../scripts/setup/run.mjs';
import { consumer } from './consumer.mjs';

const tarball = join(consumer, 'prompt-strata.tgz');
const tool = (path, ...args) => run(process.execPath, [join(root, 'node_modules', path), ...args]);

test('the tarball holds dist and the three files that npm adds', async () => {
  const files = (await run('tar', ['-tzf', tarball])).trim().split('\n');
  const outside = files.filter((file) => !file.startsWith('package/dist/')).sort();
  assert.deepEqual(outside, ['package/LICENSE', 'package/README.md', 'package/package.json']);
  assert.ok(files.includes('package/dist/core.wasm'));
});

test('it has no run-time dependencies, but for the optional SDK of MCP', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const field of ['dependencies', 'optionalDependencies']) {
    assert.equal(manifest[field], undefined, field);
  }
  const sdk = '@modelcontextprotocol/sdk';
  assert.deepEqual(Object.keys(manifest.peerDependencies), [sdk]);
  assert.deepEqual(manifest.peerDependenciesMeta, { [sdk]: { optional: true } });
});

test('publint finds nothing', async () => {
  const output = await tool('publint/src/cli.js', 'run', tarball, '--strict');
  assert.match(output, /All good!/);
});

test('arethetypeswrong finds nothing', async () => {
  const untyped = ['core.wasm', 'schemas/manifest.json', 'schemas/variables.json'];
  const profile = ['--profile', 'esm-only', '--exclude-entrypoints', ...untyped];
  await tool('@arethetypeswrong/cli/dist/index.js', tarball, ...profile);
});

test('installed in an empty folder it is imported by its name', async () => {
  const program =
    "import('prompt-strata').then(async ({ load }) => console.log((await load()).version))";
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const output = await run(process.execPath, ['--input-type=module', '-e', program], {
    cwd: consumer,
  });
  assert.equal(output.trim(), version);
});

test('nothing in it makes code from strings', () => {
  for (const file of ['core.js', 'index.js']) {
    assert.doesNotMatch(
      readFileSync(join(root, 'dist', file), 'utf8'),
      /\bnew Function\b|\beval\(/,
    );
  }
});
