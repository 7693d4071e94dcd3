// Compiles tests/types/schemas against dist: the types of arguments and objects that schemas of zod, valibot, arktype
// and JSON Schemas yield. `@ts-expect-error` there says what must not compile.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import ts from 'typescript';
import { root } from '../../scripts/setup/run.mjs';

const folder = join(root, 'tests', 'types', 'schemas');
const files = readdirSync(folder).map((file) => join(folder, file));
const common = {
  target: ts.ScriptTarget.ES2022,
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable', 'esnext.disposable'].map(
    (name) => `lib.${name}.d.ts`,
  ),
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  // The declarations of the libraries are not the subject.
  skipLibCheck: true,
};
const resolutions = {
  nodenext: { module: ts.ModuleKind.NodeNext },
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
};

/** Returns the errors of the compiler, one a line. */
function errorsOf(paths, options, host = ts.createCompilerHost(options)) {
  const program = ts.createProgram(paths, options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

for (const [name, resolution] of Object.entries(resolutions)) {
  test(`schemas yield the types of arguments and objects (${name})`, () => {
    assert.deepEqual(errorsOf(files, { ...common, ...resolution }), []);
  });
}

test('a wrong expectation does not compile', () => {
  const options = { ...common, ...resolutions.nodenext };
  const host = ts.createCompilerHost(options);
  const read = host.readFile;
  host.readFile = (path) =>
    path.endsWith('schemas/tools.ts')
      ? read(path).replace('same<typeof args.length, number>', 'same<typeof args.length, string>')
      : read(path);
  const errors = errorsOf(files, options, host);
  assert.equal(errors.length, 1);
  assert.match(errors[0], /'boolean'|'true'|'false'/);
});
