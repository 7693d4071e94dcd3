// The contract of a SignatureMemory. The tests of the memory in the process, of the file and of Durable Objects use it.
import { deepEqual, equal, ok } from './assert.mjs';

const bytes = (...values) => Uint8Array.from(values);
const shownOf = async (memory, keys) =>
  [...(await memory.get(keys))].map(([key, value]) => [key, [...value]]).sort();

/**
 * Checks a memory. `open` returns it, again with the same entries where it outlives the process, and reads its clock
 * from `clock`.
 */
export async function checkMemory(open, clock) {
  let memory = await open();
  const expiresAt = clock.now() + 1000;
  const entry = (key, value, more) => ({ key, value, expiresAt, ...more });
  deepEqual(await shownOf(memory, ['a/x', 'a/y']), []);
  equal((await memory.get([])).size, 0);
  const long = Uint8Array.from({ length: 300_000 }, (_, i) => i % 251);
  const first = bytes(1);
  await memory.put([entry('a/x', first), entry('a/y', bytes(2)), entry('b/x', bytes(3))]);
  first[0] = 9;
  await memory.put([entry('a/y', bytes(4)), entry('a/long', long)]);
  memory = await open();
  deepEqual(await shownOf(memory, ['a/y', 'a/x', 'a/z']), [
    ['a/x', [1]],
    ['a/y', [4]],
  ]);
  deepEqual(await shownOf(memory, ['b/x', 'b/y']), [['b/x', [3]]]);
  deepEqual([...(await memory.get(['a/long'])).get('a/long')], [...long]);
  await memory.put([entry('a/long', long.subarray(0, 1000))]);
  equal((await memory.get(['a/long'])).get('a/long').length, 1000);
  await checkTags(memory, open, entry);
  await checkEnd(memory, open, clock);
}

async function checkTags(memory, open, entry) {
  const one = entry('t/one', bytes(1), { tag: 'one' });
  await memory.put([one, entry('t/same', bytes(1), { tag: 'same' })]);
  await memory.put([
    entry('t/one', bytes(2), { tag: 'two' }),
    entry('t/same', bytes(2), { tag: 'same' }),
  ]);
  const expected = [
    ['t/one', []],
    ['t/same', [2]],
  ];
  deepEqual(await shownOf(memory, ['t/one', 't/same']), expected);
  // It stays ambiguous, whatever comes.
  await memory.put([one]);
  await memory.put([one]);
  deepEqual(await shownOf(await open(), ['t/one', 't/same']), expected);
  const both = [entry('t/both', bytes(1), { tag: 'one' }), entry('t/both', bytes(2), { tag: '2' })];
  await memory.put(both);
  deepEqual(await shownOf(memory, ['t/both']), [['t/both', []]]);
}

async function checkEnd(memory, open, clock) {
  await memory.put([
    { key: 'e/soon', value: bytes(1), expiresAt: clock.now() + 10 },
    { key: 'e/late', value: bytes(2), expiresAt: clock.now() + 1000 },
    { key: 'e/tag', value: bytes(3), expiresAt: clock.now() + 10, tag: 'one' },
  ]);
  clock.advance(9);
  equal((await memory.get(['e/soon'])).size, 1);
  clock.advance(1);
  const left = [['e/late', [2]]];
  deepEqual(await shownOf(memory, ['e/soon', 'e/late']), left);
  deepEqual(await shownOf(await open(), ['e/soon', 'e/late']), left);
  // What has ended makes nothing ambiguous.
  const next = { key: 'e/tag', value: bytes(4), expiresAt: clock.now() + 10, tag: 'two' };
  await memory.put([next]);
  deepEqual(await shownOf(memory, ['e/tag']), [['e/tag', [4]]]);
}

/** Checks the limits of a memory that holds at most `maxEntries`, and `maxBytes` of one caller. */
export async function checkLimits(memory, clock, { maxEntries, maxBytes }) {
  const expiresAt = clock.now() + 1000;
  const put = (key, size) => memory.put([{ key, value: new Uint8Array(size), expiresAt }]);
  const has = async (key) => (await memory.get([key])).has(key);
  for (let i = 0; i < maxEntries + 5; i++) await put(`n/${i}`, 1);
  ok(!(await has('n/0')), 'the oldest entry was forgotten');
  ok(await has(`n/${maxEntries + 4}`), 'the newest entry was kept');
  let count = 0;
  for (let i = 0; i < maxEntries + 5; i++) count += Number(await has(`n/${i}`));
  equal(count, maxEntries);
  const size = Math.floor(maxBytes / 10);
  for (let i = 0; i < 20; i++) await put(`n/big${i}`, size);
  let bytes = 0;
  for (let i = 0; i < 20; i++) bytes += (await has(`n/big${i}`)) ? size : 0;
  ok(bytes <= maxBytes && bytes > maxBytes / 2, `${bytes} bytes of ${maxBytes}`);
  ok(await has('n/big19'));
  await put('n/huge', Math.ceil(maxBytes / 8));
  ok(!(await has('n/huge')), 'an entry that would crowd out others is not stored');
  ok(await has('n/big19'));
}
