// bindings/embind: the replacement of embind defines what the built modules call, and nothing else.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { wasmPreset } from '../../scripts/setup/cmake.mjs';
import { root } from '../../scripts/setup/run.mjs';

const textOf = (path) => readFileSync(join(root, path), 'utf8');
const names = (text, pattern) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name))];

test('defines each function that a module imports, and no other', () => {
  const defined = names(
    textOf('bindings/embind/embind.js'),
    /^ {2}(_em(?:bind|val)_\w+): function/gm,
  );
  const glue = ['talk', 'templates', 'check'].map((module) =>
    textOf(`build/${wasmPreset}/bindings/${module}.mjs`),
  );
  // In the glue, each name has one underscore more.
  const called = names(glue.join('\n'), /\b_(_em(?:bind|val)_\w+)/g);
  assert.deepEqual(called.sort(), defined.sort());
});
