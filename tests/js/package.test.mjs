// Checks the package as published: the files in the tarball, and that it can be installed and imported.
// types.test.mjs checks its types.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { root, run } from '../../scripts/setup/run.mjs';
import { entrySizes, sizeLimits } from '../../scripts/setup/sizes.mjs';
import { consumer } from '../support/consumer.mjs';

const wasm = ['talk.wasm', 'templates.wasm', 'check.wasm'];
const tarball = join(consumer, 'prompt-strata.tgz');
const tool = (path, ...args) => run(process.execPath, [join(root, 'node_modules', path), ...args]);

test('the tarball contains dist and the three files that npm adds', async () => {
  const files = (await run('tar', ['-tzf', tarball])).trim().split('\n');
  const outside = files.filter((file) => !file.startsWith('package/dist/')).sort();
  assert.deepEqual(outside, ['package/LICENSE', 'package/README.md', 'package/package.json']);
  for (const module of wasm) {
    assert.ok(files.includes(`package/dist/${module}`), module);
  }
});

test('the package has no run-time dependencies except optional ones, which single entries use', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const field of ['dependencies', 'optionalDependencies']) {
    assert.equal(manifest[field], undefined, field);
  }
  const peers = ['@ai-sdk/provider', '@modelcontextprotocol/sdk', '@opentelemetry/api', 'react'];
  assert.deepEqual(Object.keys(manifest.peerDependencies), peers);
  const optional = Object.fromEntries(peers.map((name) => [name, { optional: true }]));
  assert.deepEqual(manifest.peerDependenciesMeta, optional);
});

test('publint reports no problems', async () => {
  const output = await tool('publint/src/cli.js', 'run', tarball, '--strict');
  assert.match(output, /All good!/);
});

test('arethetypeswrong reports no problems', async () => {
  const untyped = [...wasm, ...['schemas/manifest.json', 'schemas/variables.json']];
  const profile = ['--profile', 'node16', '--exclude-entrypoints', ...untyped];
  await tool('@arethetypeswrong/cli/dist/index.js', tarball, ...profile);
});

for (const [entry, load] of [
  ['prompt-strata', 'load'],
  ['prompt-strata/templates', 'loadTemplates'],
  ['prompt-strata/check', 'loadChecker'],
]) {
  test(`the installed package can be imported as ${entry}`, async () => {
    const program = `import('${entry}').then(async ({ ${load} }) => console.log((await ${load}()).version))`;
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const output = await run(process.execPath, ['--input-type=module', '-e', program], {
      cwd: consumer,
    });
    assert.equal(output.trim(), version);
  });
}

test('the installed package can be imported as prompt-strata/remote', async () => {
  const program = `
    const { connectThread, StrataError } = await import('prompt-strata/remote');
    const { StrataError: same } = await import('prompt-strata');
    console.log(typeof connectThread, same === StrataError);`;
  const args = ['--input-type=module', '-e', program];
  const output = await run(process.execPath, args, { cwd: consumer });
  assert.equal(output.trim(), 'function true');
});

for (const { name, total } of entrySizes()) {
  const { most, page } = sizeLimits.entries[name];
  // All that a browser downloads before the first request.
  test(`${name} takes at most ${most} kB, minified and gzipped`, () => {
    assert.ok(total <= most * 1000, `${total} bytes`);
  });

  test(`${page} says what ${name} takes`, () => {
    const size = `${(total / 1000).toFixed(total < 10_000 ? 1 : 0)} kB`;
    assert.ok(readFileSync(join(root, page), 'utf8').includes(size), size);
  });
}

// Returns the files of dist/ that a file imports, also those that it imports when they are needed.
function importedFrom(entry) {
  const files = new Set([entry]);
  for (const file of files) {
    const text = readFileSync(join(root, 'dist', file), 'utf8');
    for (const [, path] of text.matchAll(/(?:from|import|import\()\s*["'](\.[^"']+)["']/g))
      files.add(join(dirname(file), path));
  }
  return [...files];
}

test('prompt-strata/remote, react, reader and what they import know no WebAssembly', () => {
  const files = importedFrom('remote.js');
  assert.ok(files.some((file) => file.startsWith('json-schema')));
  assert.ok(importedFrom('index.js').includes('wasm/talk.js'));
  for (const file of [...files, ...importedFrom('react.js'), ...importedFrom('reader.js')]) {
    assert.doesNotMatch(file, /wasm/);
    assert.doesNotMatch(readFileSync(join(root, 'dist', file), 'utf8'), /\bWebAssembly\.|\.wasm\b/);
  }
});

test('the package does not use eval or new Function', () => {
  const own = ['wasm/talk', 'wasm/templates', 'wasm/check', 'index', 'templates', 'check'];
  own.push('gateway', 'remote');
  for (const file of own.map((name) => `${name}.js`)) {
    assert.doesNotMatch(
      readFileSync(join(root, 'dist', file), 'utf8'),
      /\bnew Function\b|\beval\(/,
    );
  }
});
