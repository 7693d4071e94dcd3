// Checks the package as published: the files in the tarball, its types, and that it can be installed and imported.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root, run } from '../../scripts/setup/run.mjs';
import { entrySizes } from '../../scripts/setup/sizes.mjs';
import { consumer } from './consumer.mjs';

const tarball = join(consumer, 'prompt-strata.tgz');
const tool = (path, ...args) => run(process.execPath, [join(root, 'node_modules', path), ...args]);

test('the tarball contains dist and the three files that npm adds', async () => {
  const files = (await run('tar', ['-tzf', tarball])).trim().split('\n');
  const outside = files.filter((file) => !file.startsWith('package/dist/')).sort();
  assert.deepEqual(outside, ['package/LICENSE', 'package/README.md', 'package/package.json']);
  for (const module of ['core.wasm', 'lite.wasm']) {
    assert.ok(files.includes(`package/dist/${module}`), module);
  }
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
  const untyped = ['core.wasm', 'lite.wasm', 'schemas/manifest.json', 'schemas/variables.json'];
  const profile = ['--profile', 'esm-only', '--exclude-entrypoints', ...untyped];
  await tool('@arethetypeswrong/cli/dist/index.js', tarball, ...profile);
});

for (const entry of ['prompt-strata', 'prompt-strata/lite']) {
  test(`the installed package can be imported as ${entry}`, async () => {
    const program = `import('${entry}').then(async ({ load }) => console.log((await load()).version))`;
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const output = await run(process.execPath, ['--input-type=module', '-e', program], {
      cwd: consumer,
    });
    assert.equal(output.trim(), version);
  });
}

// In kB, all that a browser downloads before the first request.
const limits = { 'prompt-strata': 271, 'prompt-strata/lite': 133 };

for (const { name, total } of entrySizes()) {
  test(`${name} takes at most ${limits[name]} kB, minified and gzipped`, () => {
    assert.ok(total <= limits[name] * 1000, `${total} bytes`);
  });
}

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

// What the smaller core has is a subset of the whole one, and what it lacks does not compile.
import * as lite from 'prompt-strata/lite';
import { load, type Strata, type Thread } from 'prompt-strata';
export const chat = async (): Promise<lite.Conversation> =>
  new lite.Conversation(await lite.load(), client, { model: 'm', static: { text: 'Hi' }, tools });
export const shared = async (thread: Thread): Promise<lite.Strata> => {
  const part: lite.Thread = thread;
  part.assemble({ now: '', static: { text: '' } });
  return load();
};
export const lacking = async (strata: lite.Strata, small: lite.Thread): Promise<void> => {
  // @ts-expect-error No templates
  strata.template('');
  // @ts-expect-error No templates in a layer
  small.assemble({ now: '', static: { template: '' } });
  // @ts-expect-error No other client's history
  strata.thread({ model: 'm', from: [], format: 'openai' });
  // @ts-expect-error No plugins
  new lite.Conversation(strata, client, { model: 'm', caching: true });
  // @ts-expect-error Plugins need the whole core
  const whole: Strata = strata;
};
`;

test('the types accept valid tools and options under --strict', async () => {
  const file = join(consumer, 'types.ts');
  writeFileSync(file, typed);
  const options = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext'];
  const lib = ['--lib', 'es2023,esnext.disposable,dom,dom.iterable,dom.asynciterable'];
  await tool('typescript/bin/tsc', ...options, ...lib, file);
});

test('the package does not use eval or new Function', () => {
  for (const file of ['core.js', 'index.js', 'lite-core.js', 'lite.js']) {
    assert.doesNotMatch(
      readFileSync(join(root, 'dist', file), 'utf8'),
      /\bnew Function\b|\beval\(/,
    );
  }
});
