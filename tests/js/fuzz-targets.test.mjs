// Checks the table of the fuzz targets: their files, their stored inputs, and the words that libFuzzer gets.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { dictionaryOf } from '../fuzz/cpp/dictionary.mjs';
import { sourceKey, storedFolders, targets } from '../fuzz/cpp/targets.mjs';
import { rooms } from '../../scripts/rooms.mjs';
import { root } from '../../scripts/setup/run.mjs';
import { filesBelow } from '../../scripts/setup/stamp.mjs';

const folder = 'tests/fuzz/cpp';

test('each target has a file, and each file a target', () => {
  const files = readdirSync(join(root, folder, 'targets'));
  assert.deepEqual(
    files.sort(),
    Object.keys(targets)
      .map((name) => `${name}.cpp`)
      .sort(),
  );
});

for (const [name, { rooms: linked, words }] of Object.entries(targets)) {
  test(`${name} has rooms, stored inputs and words`, () => {
    for (const room of linked) assert.ok(rooms.src[room], room);
    assert.ok(storedFolders(name).includes(`${folder}/corpus/${name}`));
    for (const path of Object.values(words).flat()) assert.ok(existsSync(join(root, path)), path);
    // libFuzzer reads one word a line, in quotes, of at most 64 bytes.
    for (const line of dictionaryOf({ words }).trim().split('\n'))
      assert.match(line, /^"(\\"[^"\\]{1,60}\\"|[^"\\]{1,60})"$/);
  });
}

test('the words are those of the tables', () => {
  assert.match(dictionaryOf(targets.repair), /^"\\"thoughtSignature\\""$/m);
  assert.match(dictionaryOf(targets.jinja), /^"endfor"$/m);
  assert.match(dictionaryOf(targets.jinja), /^"groupby"$/m);
});

test('a target counts its hours by the sources that it runs', () => {
  const keys = Object.keys(targets).map(sourceKey);
  assert.equal(new Set(keys).size, keys.length);
  assert.match(keys[0], /^[0-9a-f]{12}$/);
});

// libFuzzer cuts longer ones (-max_len).
test('stored inputs are small', () => {
  for (const file of ['corpus', 'crashes'].flatMap((kind) => filesBelow(`${folder}/${kind}`)))
    assert.ok(statSync(join(root, file)).size <= 4096, file);
});
