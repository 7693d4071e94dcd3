// FileStore on a real disk: the contract of every store, crashes, and damage that only files can have.
import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { FileStore } from 'prompt-strata/node';
import { pkg } from '../support/package.mjs';
import { checkCrashRecovery } from './portable/resume.mjs';
import { checkStore } from './portable/stores.mjs';

let root;
before(async () => (root = await mkdtemp(join(tmpdir(), 'strata-store-'))));
after(() => rm(root, { recursive: true }));

const newFolder = () => mkdtemp(join(root, 'store-'));

test('FileStore stores lines and bytes', async () => {
  await checkStore(new FileStore(join(await newFolder(), 'not', 'there', 'yet')));
});

test('takes the path of a folder only', () => {
  for (const wrong of [undefined, '', new URL('file:///tmp'), {}]) {
    assert.throws(() => new FileStore(wrong), {
      code: 'field.invalid',
      message: /^\/folder must be/,
    });
  }
});

test('stores the same bytes concurrently', async () => {
  const store = new FileStore(await newFolder());
  const bytes = new TextEncoder().encode('long');
  await Promise.all([1, 2, 3].map(() => store.store('a', 'result', bytes)));
  assert.deepEqual(new Uint8Array(await store.readStored('a', 'result')), bytes);
});

test('resumes from the files after a crash before or after any operation', () =>
  checkCrashRecovery(pkg, async () => {
    const folder = await newFolder();
    return () => new FileStore(folder);
  }));

test('drops a line that a crash cut and writes the next one in its place', async () => {
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

test('writes at the right line without reading first', async () => {
  const folder = await newFolder();
  await new FileStore(folder).write('a', 0, ['zero', 'one', 'two']);
  await new FileStore(folder).write('a', 1, ['uno']);
  assert.deepEqual(await new FileStore(folder).read('a'), ['zero', 'uno']);
});

test('refuses to write a file that another process has written since it was read', async () => {
  const folder = await newFolder();
  const [here, there] = [new FileStore(folder), new FileStore(folder)];
  await here.write('a', 0, ['zero'], 0);
  await there.write('a', 1, ['one'], 1);
  await assert.rejects(here.write('a', 1, ['eins'], 1), { code: 'store.conflict' });
  await here.write('a', 2, ['two'], 2);
  assert.deepEqual(await there.read('a'), ['zero', 'one', 'two']);
});

test('lets one of two writers at the same time win, and stores nothing of the other', async () => {
  for (const stores of [1, 2]) {
    const folder = await newFolder();
    const [first, second = first] = Array.from({ length: stores }, () => new FileStore(folder));
    await first.write('a', 0, ['"head"']);
    const both = await Promise.allSettled([
      first.write('a', 1, ['"one"'], 1),
      second.write('a', 1, ['"two"'], 1),
    ]);
    assert.deepEqual(
      both.map(({ status, reason }) => reason?.message ?? status),
      [
        'fulfilled',
        'Another writer has changed this conversation: it has 2 lines, not 1. Open it again.',
      ],
    );
    assert.deepEqual(await new FileStore(folder).read('a'), ['"head"', '"one"']);
  }
});

test('ignores a byte order mark at the start of a file', async () => {
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

test('keeps files inside the folder for every id and name', async () => {
  const folder = await newFolder();
  const store = new FileStore(join(folder, 'inner'));
  for (const id of ['..', '../outside', '/tmp/outside', '.', 'a\0b', 'con/..']) {
    await store.write(id, 0, ['line']);
    await store.store(id, '../../outside', new Uint8Array([1]));
    assert.deepEqual(await store.read(id), ['line']);
  }
  assert.deepEqual(await readdir(folder), ['inner']);
});

test('says what is wrong with an id that no file can have', async () => {
  const store = new FileStore(await newFolder());
  const fits = 'a'.repeat(230);
  await store.write(fits, 0, ['zero']);
  await store.write(fits, 0, ['uno']);
  assert.deepEqual(await store.read(fits), ['uno']);
  for (const [id, message] of [
    ['a\ud800', /lone surrogate/],
    ['\udc00', /lone surrogate/],
    ['a'.repeat(231), /at most 230 characters/],
    ['.'.repeat(100), /at most 230 characters/],
    ['ü'.repeat(50), /at most 230 characters in percent encoding, not 300/],
  ])
    for (const use of [
      () => store.read(id),
      () => store.write(id, 0, ['a']),
      () => store.delete(id),
      () => store.store(id, 'name', new Uint8Array()),
    ])
      await assert.rejects(async () => use(), { code: 'field.invalid', message });
});

// The name is a folder with a file, so the draft cannot be renamed to it.
test('removes its draft where a write fails', async () => {
  const folder = await newFolder();
  const store = new FileStore(folder);
  await mkdir(join(folder, 'c', 'result', 'inside'), { recursive: true });
  await assert.rejects(store.store('c', 'result', new Uint8Array(9)));
  assert.deepEqual(await readdir(join(folder, 'c')), ['result']);
  assert.deepEqual(await readdir(folder), ['c']);
});

test('deletes the drafts that a killed process left, and nothing of other conversations', async () => {
  const folder = await newFolder();
  const store = new FileStore(folder);
  for (const id of ['c', 'c.ndjson', 'cc']) {
    await store.write(id, 0, ['line']);
    await store.store(id, 'result', new Uint8Array([1]));
  }
  const drafts = ['c.ndjson.0.new', 'c.ndjson.12.new'];
  const others = [
    'cc.ndjson.2.new',
    'c.ndjson.new',
    'c.ndjson.2.new.txt',
    'c%2Endjson.ndjson.1.new',
  ];
  for (const name of [...drafts, ...others]) await writeFile(join(folder, name), 'half');
  await store.delete('c');
  const rest = ['c%2Endjson', 'c%2Endjson.ndjson', 'cc', 'cc.ndjson', ...others];
  assert.deepEqual((await readdir(folder)).sort(), rest.sort());
  await new FileStore(join(folder, 'not', 'there')).delete('c');
});
