// Checks the private package of clients that `npm run verify` and `npm run bench -- peers` install with `npm ci`.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root } from '../../scripts/setup/run.mjs';
import { filesBelow } from '../../scripts/setup/stamp.mjs';
import { packages } from '../bench/peers/candidates.mjs';
import { versions } from '../support/pinned-clients.mjs';

const folder = 'tests/verify/clients';
const read = (file) => readFileSync(join(root, file), 'utf8');
const lock = JSON.parse(read(`${folder}/package-lock.json`)).packages;

test('the lock file has the version that the package names, and the hash of every package', () => {
  assert.deepEqual(lock[''].dependencies, JSON.parse(read(`${folder}/package.json`)).dependencies);
  for (const [name, version] of Object.entries(versions))
    assert.equal(lock[`node_modules/${name}`].version, version, name);
  for (const [path, { integrity }] of Object.entries(lock))
    assert.ok(path === '' || integrity, path);
});

test('the trials and the benchmarks use only packages that are pinned', () => {
  const trials = ['emulator', 'gateway'].flatMap((name) =>
    filesBelow(`${folder}/${name}`, ['mjs']),
  );
  const imported = trials.flatMap((file) =>
    [
      ...read(file).matchAll(/^(?:import|\}) .*from '(@[\w-]+\/[\w-]+|\w[\w-]*)(?:\/[^']*)?';$/gm),
    ].map(([, name]) => name),
  );
  assert.ok(imported.includes('@google/genai'));
  for (const name of imported) assert.ok(name in versions, name);
  for (const [name, version] of Object.entries(packages)) assert.ok(version, name);
});
