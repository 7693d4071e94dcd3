// Checks the package as published: the files in the tarball, its types, and that it can be installed and imported.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root, run } from '../../scripts/setup/run.mjs';
import { consumer } from './consumer.mjs';

const tarball = join(consumer, 'prompt-strata.tgz');
const tool = (path, ...args) => run(process.execPath, [join(root, 'node_modules', path), ...args]);

test('the tarball contains dist and the three files that npm adds', async () => {
  const files = (await run('tar', ['-tzf', tarball])).trim().split('\n');
  const outside = files.filter((file) => !file.startsWith('package/dist/')).sort();
  assert.deepEqual(outside, ['package/LICENSE', 'package/README.md', 'package/package.json']);
  assert.ok(files.includes('package/dist/core.wasm'));
});

test('the package has no run-time dependencies except the optional MCP SDK', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const field of ['dependencies', 'optionalDependencies']) {
    assert.equal(manifest[field], undefined, field);
  }
  const sdk = '@modelcontextprotocol/sdk';
  assert.deepEqual(Object.keys(manifest.peerDependencies), [sdk]);
  assert.deepEqual(manifest.peerDependenciesMeta, { [sdk]: { optional: true } });
});

test('publint reports no problems', async () => {
  const output = await tool('publint/src/cli.js', 'run', tarball, '--strict');
  assert.match(output, /All good!/);
});

test('arethetypeswrong reports no problems', async () => {
  const untyped = ['core.wasm', 'schemas/manifest.json', 'schemas/variables.json'];
  const profile = ['--profile', 'esm-only', '--exclude-entrypoints', ...untyped];
  await tool('@arethetypeswrong/cli/dist/index.js', tarball, ...profile);
});

test('the installed package can be imported by its name', async () => {
  const program =
    "import('prompt-strata').then(async ({ load }) => console.log((await load()).version))";
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const output = await run(process.execPath, ['--input-type=module', '-e', program], {
    cwd: consumer,
  });
  assert.equal(output.trim(), version);
});

const typed = `
import { GeminiClient, MediaResult, type FunctionTool, type Tool } from 'prompt-strata';
interface Weather { city: string; hot?: boolean }
const functions: FunctionTool[] = [
  { name: 'nothing', run: async () => undefined },
  { name: 'silent', run: async () => {} },
  { name: 'own', run: async (): Promise<Weather> => ({ city: 'x' }) },
  { name: 'list', run: (): readonly Weather[] => [{ city: 'x' }] },
  { name: 'bytes', run: () => new Uint8Array(1) },
  {
    name: 'media',
    run: () => new MediaResult({ city: 'x' } as Weather, [
      { inlineData: { mimeType: 'image/png', data: new Uint8Array(1) } },
    ]),
  },
];
export const tools: Tool[] = [...functions, { googleSearch: {} }, { discover: () => functions }];
export const client = new GeminiClient({ retry: { attempts: undefined } });
`;

test('the types accept valid tools and options under --strict', async () => {
  const file = join(consumer, 'types.ts');
  writeFileSync(file, typed);
  const options = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext'];
  const lib = ['--lib', 'es2023,esnext.disposable,dom,dom.iterable,dom.asynciterable'];
  await tool('typescript/bin/tsc', ...options, ...lib, file);
});

test('the package does not use eval or new Function', () => {
  for (const file of ['core.js', 'index.js']) {
    assert.doesNotMatch(
      readFileSync(join(root, 'dist', file), 'utf8'),
      /\bnew Function\b|\beval\(/,
    );
  }
});
