// Cases of thread-storage.test.mjs: SqlStore with the SQLite storage of a Durable Object.
import { SqlStore } from '../../web/worker/threads/sql-store.ts';
import { createTables, hasTables } from '../../web/worker/threads/tables.ts';
import { Random } from '../fuzz/random.mjs';
import { checkContract } from '../js/portable/stores.mjs';
import { deepEqual, equal, ok, rejects } from '../js/portable/assert.mjs';
import { countingRows, failingAt } from './databases.mjs';

function open(storage) {
  createTables(storage);
  return new SqlStore(storage);
}

/** Text of `bytes` bytes whose characters have 1 to 4 bytes, so that pieces end inside some of them. */
function mixedText(bytes, seed) {
  const samples = ['a', 'é', '\u2028', '語', '\u{1F600}', '\uFEFF', '"\\'];
  const random = new Random(String(seed));
  let text = '';
  for (let size = 0; size < bytes; size += 2) text += random.pick(samples);
  return text;
}

export default [
  {
    name: 'keeps the contract of a store',
    async run(storage) {
      const own = open(storage);
      // One object holds one conversation, and the contract asks for a second one.
      const other = [];
      const storeOf = (id) => (id === 'a' ? { ...own, ...memory(other) } : own);
      await checkContract({
        read: (id) => storeOf(id).read(id),
        write: (id, at, lines) => storeOf(id).write(id, at, lines),
        store: (id, name, bytes) => storeOf(id).store(id, name, bytes),
        readStored: (id, name) => storeOf(id).readStored(id, name),
        delete: (id) => storeOf(id).delete(id),
      });
    },
  },
  {
    name: 'returns lines and results of 5 MB to the byte',
    async run(storage) {
      const store = open(storage);
      for (const seed of [1, 2, 3]) {
        const line = mixedText(5_000_000, seed);
        ok(new TextEncoder().encode(line).length > 5_000_000);
        await store.write('', 0, ['first', line, 'last']);
        const [first, read, last] = await open(storage).read('');
        ok(read === line, `seed ${seed}: the line is not the same`);
        deepEqual([first, last], ['first', 'last']);
      }
      // A view into a larger buffer, as results of tools are.
      const buffer = Uint8Array.from({ length: 5_000_100 }, (_, i) => (i * 31) % 256);
      const bytes = buffer.subarray(50, 5_000_050);
      await store.store('', 'result', bytes);
      const read = await store.readStored('', 'result');
      equal(read.length, bytes.length);
      ok(
        read.every((byte, i) => byte === bytes[i]),
        'the bytes are not the same',
      );
    },
  },
  {
    name: 'writes all lines or none',
    async run(storage) {
      const store = open(storage);
      const before = ['one', 'x'.repeat(2_500_000), 'three'];
      await store.write('', 0, before);
      await store.store('', 'result', new Uint8Array(2_500_000).fill(7));
      // Fails at the comparison, at the deletion, and at each piece.
      for (let statement = 1; statement <= 5; statement++) {
        const failing = new SqlStore(failingAt(storage, statement));
        const write = failing.write('', 1, ['y'.repeat(1_500_000), 'z']);
        await rejects(write, { message: 'disk' }, `statement ${statement}`);
        ok((await store.read('')).every((line, i) => line === before[i]));
        equal((await store.read('')).length, 3);
      }
      for (let statement = 1; statement <= 3; statement++) {
        const failing = new SqlStore(failingAt(storage, statement));
        const stored = failing.store('', 'result', new Uint8Array(1_500_000).fill(8));
        await rejects(stored, { message: 'disk' });
        equal((await store.readStored('', 'result')).length, 2_500_000);
      }
      await new SqlStore(failingAt(storage, 6)).write('', 1, ['y'.repeat(1_500_000), 'z']);
      deepEqual(
        (await store.read('')).map((line) => line.length),
        [3, 1_500_000, 1],
      );
    },
  },
  {
    name: 'writes one row for a line',
    async run(storage) {
      createTables(storage);
      const counted = countingRows(storage);
      const store = new SqlStore(counted.database);
      await store.write('', 0, ['one']);
      equal(counted.rows(), 1);
      await store.write('', 1, ['two', 'three']);
      equal(counted.rows(), 3);
      await store.write('', 3, ['x'.repeat(2_500_000)]);
      equal(counted.rows(), 6);
      // What a rewriting leaves as it was is not written again.
      const long = 'x'.repeat(2_500_000);
      await store.write('', 0, ['one', 'two', 'three', long, 'five']);
      equal(counted.rows(), 7);
      await store.write('', 0, ['one', 'two', 'three', `${long.slice(1)}y`]);
      equal(counted.rows(), 7 + 4 + 3);
      await store.write('', 0, ['one', 'two']);
      equal(counted.rows(), 14 + 4);
      deepEqual(await store.read(''), ['one', 'two']);
    },
  },
  {
    name: 'an object that was only asked stays empty',
    run(storage) {
      equal(hasTables(storage), false);
      equal(hasTables(storage), false);
      deepEqual(storage.sql.exec('SELECT name FROM sqlite_master').toArray(), []);
      createTables(storage);
      equal(hasTables(storage), true);
      createTables(storage);
    },
  },
];

/** The methods of a store of lines in memory. */
const memory = (lines) => ({
  read: async () => [...lines],
  write: async (_, at, added) => void lines.splice(at, lines.length, ...added),
  delete: async () => void lines.splice(0),
});
