// FileStore on a real disk: what every store must do, crashes, and what only files can suffer.
import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import * as strata from 'prompt-strata';
import { FileStore } from 'prompt-strata/node';
import { resumesAnywhere } from './portable/resume.mjs';
import { keepsLines } from './portable/stores.mjs';

let root;
before(async () => (root = await mkdtemp(join(tmpdir(), 'strata-store-'))));
after(() => rm(root, { recursive: true }));

const newFolder = () => mkdtemp(join(root, 'store-'));

test('files keep lines and bytes', async () => {
  await keepsLines(new FileStore(join(await newFolder(), 'not', 'there', 'yet')));
});

test('the same bytes may be kept twice at once', async () => {
  const store = new FileStore(await newFolder());
  const bytes = new TextEncoder().encode('long');
  await Promise.all([1, 2, 3].map(() => store.store('a', 'result', bytes)));
  assert.deepEqual(new Uint8Array(await store.readStored('a', 'result')), bytes);
});

test('a crash before or after any operation: the next process goes on from the file', () =>
  resumesAnywhere(strata, async () => {
    const folder = await newFolder();
    return () => new FileStore(folder);
  }));

test('a line that a crash cut is dropped, and the next one stands in its place', async () => {
  const folder = await newFolder();
  await new FileStore(folder).write('a', 0, ['{"zero":0}', '{"one":1}']);
  await appendFile(join(folder, 'a.ndjson'), '{"two":"Zür');
  const store = new FileStore(folder);
  assert.deepEqual(await store.read('a'), ['{"zero":0}', '{"one":1}']);
  await store.write('a', 2, ['{"two":2}']);
  assert.equal(
    await readFile(join(folder, 'a.ndjson'), 'utf8'),
    '{"zero":0}\n{"one":1}\n{"two":2}\n',
  );
});

test('a writer that did not read first finds the lines all the same', async () => {
  const folder = await newFolder();
  await new FileStore(folder).write('a', 0, ['zero', 'one', 'two']);
  await new FileStore(folder).write('a', 1, ['uno']);
  assert.deepEqual(await new FileStore(folder).read('a'), ['zero', 'uno']);
});

test('a byte order mark that an editor put in front of a file is no part of its first line', async () => {
  const folder = await newFolder();
  const path = join(folder, 'a.ndjson');
  await writeFile(path, '\uFEFF{"zero":0}\n{"one":1}\n{"two":2}\n');
  const store = new FileStore(folder);
  assert.deepEqual(await store.read('a'), ['{"zero":0}', '{"one":1}', '{"two":2}']);
  await store.write('a', 2, ['{"deux":2}']);
  assert.equal(await readFile(path, 'utf8'), '\uFEFF{"zero":0}\n{"one":1}\n{"deux":2}\n');
  assert.deepEqual(await store.read('a'), ['{"zero":0}', '{"one":1}', '{"deux":2}']);
  await store.write('a', 0, ['{"zéro":0}']);
  assert.equal(await readFile(path, 'utf8'), '{"zéro":0}\n');
});

test('no name leaves the folder', async () => {
  const folder = await newFolder();
  const store = new FileStore(join(folder, 'inner'));
  for (const id of ['..', '../outside', '/tmp/outside', '.', 'a\0b', 'con/..']) {
    await store.write(id, 0, ['line']);
    await store.store(id, '../../outside', new Uint8Array([1]));
    assert.deepEqual(await store.read(id), ['line']);
  }
  assert.deepEqual(await readdir(folder), ['inner']);
});
