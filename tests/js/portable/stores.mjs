// The contract of a ConversationStore, and a test of each store against it. The tests of FileStore and of a real
// Durable Object use the same check.
import { deepEqual, equal, rejects, throws } from './assert.mjs';

/** Checks the contract of a store that several writers may use, also that it refuses what would lose lines. */
export async function checkStore(store) {
  await checkContract(store);
  await checkConflicts(store);
  await checkList(store);
}

async function checkList(store) {
  const ids = ['chat', 'chat-1', 'chat/2', 'Gr\u00fc\u00dfe \u{1F600}', 'a.b'];
  deepEqual(await store.list(), []);
  for (const id of ids) {
    await store.write(id, 0, ['one', 'two']);
    await store.store(id, 'result', Uint8Array.of(1));
  }
  deepEqual((await store.list()).sort(), [...ids].sort());
  for (const id of ids) await store.delete(id);
  deepEqual(await store.list(), []);
}

async function checkConflicts(store) {
  const id = 'a/b ..';
  await store.write(id, 0, ['zero', 'one']);
  await rejects(store.write(id, 2, ['more'], 1), { code: 'store.conflict' });
  await rejects(store.write(id, 0, ['less'], 3), { code: 'store.conflict' });
  deepEqual(await store.read(id), ['zero', 'one']);
  await store.write(id, 2, ['more'], 2);
  await store.write(id, 0, [], 3);
  deepEqual(await store.read(id), []);
  await store.write(id, 0, ['again'], 0);
  await store.delete(id);
}

/** Checks the contract of a store: reading, writing, and deleting lines and bytes. */
export async function checkContract(store) {
  const id = 'a/b ..';
  await store.delete(id);
  deepEqual(await store.read(id), []);
  await store.write(id, 0, ['zero', '\uFEFFone\u2028 \u{1F600}']);
  equal((await store.read(id))[1], '\uFEFFone\u2028 \u{1F600}');
  await store.write(id, 2, ['x'.repeat(300_000)]);
  await store.write('a', 0, ['other']);
  equal((await store.read(id)).length, 3);
  equal((await store.read(id))[2].length, 300_000);
  await store.write(id, 1, ['uno']);
  deepEqual(await store.read(id), ['zero', 'uno']);
  await store.write(id, 1, ['ein']);
  await store.write(
    id,
    2,
    Array.from({ length: 300 }, (_, i) => `line ${i}`),
  );
  equal((await store.read(id)).length, 302);
  equal((await store.read(id))[301], 'line 299');
  await store.write(id, 0, []);
  const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => i % 251);
  await store.store(id, '../up', bytes);
  await store.store(id, '../up', bytes.subarray(0, 299_999));
  deepEqual([...(await store.readStored(id, '../up'))], [...bytes.subarray(0, 299_999)]);
  equal(await store.readStored(id, 'down'), undefined);
  await store.delete(id);
  equal(await store.readStored(id, '../up'), undefined);
  deepEqual(await store.read('a'), ['other']);
  await store.delete('a');
}

/** Implements the documented storage of a Durable Object: sorted keys, at most 128 in one call. */
function objectStorage() {
  let entries = new Map();
  const storage = {
    get: async (key) => entries.get(key),
    list: async ({ prefix = '', start = '', limit = Infinity }) =>
      new Map(
        [...entries]
          .filter(([key]) => key.startsWith(prefix) && key >= start)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .slice(0, limit),
      ),
    put: async (values) => {
      if (Object.keys(values).length > 128) throw new Error('too many keys');
      for (const [key, value] of Object.entries(values)) {
        if (value.length > 131_072) throw new Error('too long');
        entries.set(key, value.slice());
      }
    },
    delete: async (keys) => {
      if (keys.length > 128) throw new Error('too many keys');
      return keys.filter((key) => entries.delete(key)).length;
    },
    transaction: async (work) => {
      const before = new Map(entries);
      try {
        return await work(storage);
      } catch (error) {
        entries = before;
        throw error;
      }
    },
  };
  return storage;
}

export default [
  {
    name: 'MemoryStore stores lines and bytes',
    run: (strata) => checkStore(new strata.MemoryStore()),
  },
  {
    name: 'DurableObjectStore stores lines and bytes',
    run: (strata) => checkStore(new strata.DurableObjectStore(objectStorage())),
  },
  {
    name: 'IndexedDbStore stores lines and bytes, if IndexedDB is available',
    async run(strata) {
      const store = new strata.IndexedDbStore('prompt-strata test');
      if (typeof indexedDB === 'undefined') {
        await rejects(store.read('a'), { code: 'store.unavailable' });
        return;
      }
      await checkStore(store);
      await store.close();
      deepEqual(await store.read('a'), []);
    },
  },
  {
    name: 'IndexedDbStore takes a name only',
    async run(strata) {
      for (const wrong of [{ name: 'a' }, '', 5])
        throws(() => new strata.IndexedDbStore(wrong), { code: 'field.invalid' });
    },
  },
  {
    name: 'IndexedDbStore opens its database again after another tab deleted it',
    async run(strata) {
      if (typeof indexedDB === 'undefined') return;
      const name = 'prompt-strata deleted';
      const store = new strata.IndexedDbStore(name);
      await store.write('a', 0, ['one']);
      await new Promise((resolve, reject) => {
        const request = indexedDB.deleteDatabase(name);
        request.onsuccess = resolve;
        request.onerror = request.onblocked = () => reject(new Error('the database stays open'));
      });
      deepEqual(await store.read('a'), []);
      await store.write('a', 0, ['two']);
      deepEqual(await store.read('a'), ['two']);
      await store.close();
    },
  },
];
