// Compiles the fixtures of tests/types against the packed package in each environment that a project may have. The
// fixtures of `everywhere` compile in all of them; `@ts-expect-error` in a fixture says that wrong code does not.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root } from '../../scripts/setup/run.mjs';
import { compile, resolutions } from './compile-types.mjs';

const fixtures = join(root, 'tests', 'types');

/** Returns the fixtures of some folders: names and texts. */
function fixturesOf(...folders) {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(fixtures, folder)).map((name) => [`${folder}-${name}`, join(folder, name)]),
  );
  return Object.fromEntries(
    paths.map(([name, path]) => [name, readFileSync(join(fixtures, path), 'utf8')]),
  );
}

const dom = ['DOM', 'DOM.Iterable', 'DOM.AsyncIterable'];
const strictest = {
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
};

/** What a project's tsconfig.json may say, and the folders of fixtures that it compiles. */
const environments = {
  'ES2022 and nothing else': { lib: ['ES2022'], folders: [] },
  'lib.dom': { lib: ['ES2022', ...dom], folders: ['dom'] },
  'lib.dom with Disposable': { lib: ['ES2023', 'ESNext.Disposable', ...dom], folders: ['dom'] },
  'lib.dom and @types/node': { lib: ['ES2022', ...dom], types: ['node'], folders: ['dom', 'node'] },
  '@types/node without lib.dom': { lib: ['ES2022'], types: ['node'], folders: ['node'] },
  '@cloudflare/workers-types': {
    lib: ['ES2022'],
    types: ['@cloudflare/workers-types'],
    folders: ['workers'],
  },
  'the strictest settings': { lib: ['ESNext', ...dom], folders: ['dom'], ...strictest },
};

for (const [resolution, modules] of Object.entries(resolutions)) {
  for (const [environment, { folders, ...settings }] of Object.entries(environments)) {
    test(`the types compile with ${environment}, ${resolution}`, () => {
      const files = fixturesOf('everywhere', ...folders);
      assert.equal(compile('types', files, { ...modules, ...settings }), '');
    });
  }
}

const { exports: published } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const entries = Object.keys(published).filter((path) => typeof published[path] === 'object');

for (const path of entries) {
  const entry = `prompt-strata${path.slice(1)}`;
  test(`${entry} compiles without another entry beside it, and without Disposable`, () => {
    const files = { 'alone.ts': `export * from '${entry}';\n` };
    const settings = { lib: ['ES2022', ...dom], ...resolutions.nodenext };
    assert.equal(compile('types', files, settings), '');
  });
}

for (const [resolution, modules] of Object.entries(resolutions)) {
  test(`the types of the AI SDK accept the provider, ${resolution}`, () => {
    // The declarations of the SDK are its own affair.
    const settings = {
      lib: ['ES2023', 'ESNext.Disposable', ...dom],
      types: ['node'],
      skipLibCheck: true,
    };
    assert.equal(compile('types', fixturesOf('ai-sdk'), { ...modules, ...settings }), '');
  });
}
