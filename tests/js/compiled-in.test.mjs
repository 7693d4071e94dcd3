// Compares the works of others that the package names (bindings/compiled-in) with what was compiled, linked and bundled.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import {
  buildFolder,
  declarations,
  readComponents,
} from '../../bindings/compiled-in/components.mjs';
import { thirdPartyNotices } from '../../bindings/compiled-in/notices.mjs';
import { rooms } from '../../scripts/rooms.mjs';
import { modules } from '../../scripts/setup/package.mjs';
import { root, run } from '../../scripts/setup/run.mjs';

const components = readComponents();
const textOf = (file) => readFileSync(join(root, 'dist', file), 'utf8');

const matches = (patterns, path) => patterns.some((pattern) => pattern.test(path));
const isOwn = (path) => !path.startsWith('/') || path.startsWith(`${root}/`);

/** Returns the archives and objects outside of the repository that the modules were linked from. */
function linkedFiles() {
  const lines = modules.flatMap((module) =>
    readFileSync(join(buildFolder, 'bindings', `${module}.linked.txt`), 'utf8').split('\n'),
  );
  // A member of an archive: path.a(member.o).
  const files = lines.filter(Boolean).map((line) => line.replace(/\([^)]*\)$/, ''));
  return [...new Set(files)].filter((file) => !isOwn(file));
}

/** Returns the headers that the objects of the modules include, with absolute paths outside of the build's folder. */
async function includedHeaders() {
  const text = await run('ninja', ['-C', buildFolder, '-t', 'deps']);
  const targets = [...Object.keys(rooms.src).map((room) => `strata_${room}`), ...modules];
  const all = text.split(/\n\n/);
  const blocks = targets.flatMap((target) => {
    const ofTarget = new RegExp(`^(?:bindings/)?CMakeFiles/${target}\\.dir/`);
    const own = all.filter((block) => ofTarget.test(block));
    assert.ok(own.length > 0, `ninja lists the objects of ${target}`);
    return own;
  });
  const lines = blocks.flatMap((block) => block.split('\n').slice(1));
  return [...new Set(lines.map((line) => line.trim().replace(/^(\.\.\/)+/, `${root}/`)))];
}

test('every linked archive belongs to a component, and every archive of a component is linked', () => {
  const files = linkedFiles();
  const unnamed = files.filter((file) => !components.some((each) => matches(each.archives, file)));
  assert.deepEqual(unnamed, []);
  for (const { name, archives } of components) {
    if (archives.length > 0)
      assert.ok(
        files.some((file) => matches(archives, file)),
        name,
      );
  }
});

test('every included header belongs to a component, and every header of a component is included', async () => {
  const headers = await includedHeaders();
  const outside = headers.filter((path) => !path.startsWith(`${root}/`));
  // Inside the folder of the build: the link to nlohmann/json, the tables of this project, and CMake's lists of
  // headers to precompile.
  const unnamed = outside.filter(
    (path) =>
      !path.startsWith('generated/') &&
      !/\/cmake_pch\.hxx(\.cxx)?$/.test(path) &&
      !matches(declarations, path) &&
      !components.some((each) => matches(each.headers, path)),
  );
  assert.deepEqual(unnamed, []);
  for (const { name, headers: own } of components) {
    if (own.length > 0)
      assert.ok(
        headers.some((path) => matches(own, path)),
        name,
      );
  }
});

test('every bundled package belongs to a component, and every package of a component is bundled', () => {
  const code = readdirSync(join(root, 'dist'))
    .filter((file) => file.endsWith('.js'))
    .map(textOf);
  const bundled = code.flatMap((text) =>
    [...text.matchAll(/^\s*\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm)].map(([, name]) => name),
  );
  const named = components.flatMap(({ packages }) => packages);
  assert.deepEqual([...new Set(bundled)].sort(), [...named].sort());
});

test('the notices name each component with its license, and contain each license once', () => {
  const notices = textOf('THIRD-PARTY-NOTICES.txt');
  assert.equal(notices, thirdPartyNotices(components));
  for (const { name, version, license, copyright } of components) {
    for (const line of [`${name} ${version}`, `License: ${license}`, ...copyright])
      assert.ok(notices.includes(line), line);
  }
  const used = new Set(components.map(({ text }) => `${text}.txt`));
  const files = readdirSync(join(root, 'bindings', 'compiled-in', 'licenses'));
  assert.deepEqual(files.sort(), [...used].sort());
});

test('the bill of materials lists the same components, and nothing that changes without them', () => {
  const bom = JSON.parse(textOf('sbom.cdx.json'));
  const { version, name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.equal(bom.bomFormat, 'CycloneDX');
  assert.equal(bom.metadata.component.purl, `pkg:npm/${name}@${version}`);
  assert.deepEqual(
    bom.components.map((each) => [each.name, each.version, each.licenses[0].expression]),
    components.map((each) => [each.name, each.version, each.license]),
  );
  const refs = bom.components.map((each) => each['bom-ref']);
  assert.deepEqual(bom.dependencies[0].dependsOn, refs);
  assert.equal(bom.serialNumber, undefined);
  assert.equal(bom.metadata.timestamp, undefined);
  for (const { version: number } of components) assert.match(number, /^\d+\.\d+\.\d+$/);
});
