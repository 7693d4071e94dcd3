// Compiles the examples of README.md and docs/ in strict TypeScript, those in JavaScript as well: what they pass to
// the package must fit its types.
import assert from 'node:assert/strict';
import test from 'node:test';
import ts from 'typescript';
import { compile, resolutions } from './compile-types.mjs';
import { documents, examplesIn } from './examples-in-docs.mjs';

// types.test.mjs checks the declarations themselves.
const settings = {
  lib: ['ES2022', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
  types: ['node'],
  skipLibCheck: true,
  jsx: ts.JsxEmit.ReactJSX,
};
const files = Object.fromEntries(
  documents
    .flatMap((document) => examplesIn(document))
    .map(({ name, code }) => [`${name}.ts`, `${code}\nexport {};\n`]),
);

const components = examplesIn('docs/next-and-react.md', 'tsx').filter(({ code }) =>
  code.includes("'prompt-strata/react'"),
);
for (const { name, code } of components) files[`${name}.tsx`] = code;

// types.test.mjs also resolves modules in the other way.
test('all examples compile in strict TypeScript', () => {
  assert.ok(Object.keys(files).length > 30 && components.length > 0);
  assert.equal(compile('docs-types', files, { ...resolutions.nodenext, ...settings }), '');
});
