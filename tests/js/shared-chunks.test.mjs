// Tests which modules count as loaded when another one is imported on use, for the files of the package.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root } from '../../scripts/setup/run.mjs';
import { loadedBefore } from '../../scripts/setup/shared-chunks.mjs';
import { filesBelow } from '../../scripts/setup/stamp.mjs';

// Builds the `inputs` of a metafile from lists of imports; those that begin with `?` are on use.
const inputsOf = (graph) =>
  Object.fromEntries(
    Object.entries(graph).map(([file, imports]) => [
      file,
      {
        imports: imports.map((path) =>
          path.startsWith('?')
            ? { kind: 'dynamic-import', path: path.slice(1) }
            : { kind: 'import-statement', path },
        ),
      },
    ]),
  );

const before = (graph, ...entries) =>
  Object.fromEntries(
    [...loadedBefore(inputsOf(graph), entries)].map(([file, found]) => [file, found.sort()]),
  );

test('a module on use comes after all that its entry loads, but for what it imports itself', () => {
  const graph = {
    entry: ['shared', 'other', '?plugin'],
    plugin: ['shared'],
    shared: [],
    other: [],
  };
  assert.deepEqual(before(graph, 'entry'), { plugin: ['entry', 'other'] });
});

test('only what all entries load is loaded before a module that they share', () => {
  const graph = {
    ...{ full: ['shared', 'extra'], small: ['shared'] },
    ...{ shared: ['?plugin'], extra: [], plugin: [] },
  };
  assert.deepEqual(before(graph, 'full', 'small'), { plugin: ['shared'] });
});

test('a module on use that imports another on use brings what was loaded before it', () => {
  const graph = {
    entry: ['base', '?first'],
    base: [],
    first: ['own', '?second'],
    own: [],
    second: [],
  };
  assert.deepEqual(before(graph, 'entry').second, ['base', 'entry']);
});

test('a module that an entry imports statically gets no imports, which could form a circle', () => {
  const graph = { entry: ['shared', '?tool'], other: ['tool'], shared: ['tool'], tool: [] };
  assert.deepEqual(before(graph, 'entry', 'other'), {});
});

test('no file of the package shows the imports that were added', () => {
  for (const file of filesBelow('dist', ['.js', '.map'])) {
    assert.doesNotMatch(readFileSync(join(root, file), 'utf8'), /loaded-before/, file);
  }
});
