// Tests how numbers of instructions are judged and recorded. `npm run gates` counts them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { compare } from '../gates/compare.mjs';
import { paths } from '../gates/callgrind.mjs';
import { readRecords, recordOf, updateRecord } from '../gates/records.mjs';

const judged = (now, before = 1_000_000, tolerance = 2) =>
  compare({ path: 'lint', before, now, tolerance });

test('more instructions than the tolerance allows fail, with what changed and how to accept it', () => {
  const { verdict, text } = judged(1_051_000);
  assert.equal(verdict, 'slower');
  for (const part of ['lint', '1,051,000', '1,000,000', '5.1 % more', 'npm run gates -- --update'])
    assert.ok(text.includes(part), `${part} in: ${text}`);
});

test('a change within the tolerance passes', () => {
  for (const now of [980_001, 1_000_000, 1_019_999]) assert.equal(judged(now).verdict, 'same');
});

test('fewer instructions ask for an update', () => {
  const { verdict, text } = judged(900_000);
  assert.equal(verdict, 'faster');
  assert.match(text, /10\.0 % fewer .*npm run gates -- --update/);
});

test('a slowdown of 5 % fails wherever in the tolerance the path was before it', () => {
  const { tolerance } = readRecords();
  const before = 1_000_000;
  for (const now of [before * (1 - tolerance / 100), before, before * (1 + tolerance / 100)])
    assert.equal(judged(Math.ceil(now * 1.05), before, tolerance).verdict, 'slower');
});

test('every record has a number for every path', () => {
  const { records } = readRecords();
  assert.ok(records.length > 0);
  for (const { toolchain, instructions } of records) {
    assert.deepEqual(Object.keys(instructions), paths, toolchain);
    for (const number of Object.values(instructions)) assert.ok(Number.isInteger(number));
  }
});

test('numbers are recorded by toolchain', () => {
  const old = { tolerance: 2, records: [{ toolchain: 'a', instructions: { lint: 1 } }] };
  const added = updateRecord(old, 'b', { lint: 2 });
  const changed = updateRecord(added, 'a', { lint: 3 });
  assert.deepEqual(recordOf(changed, 'a'), { lint: 3 });
  assert.deepEqual(recordOf(changed, 'b'), { lint: 2 });
  assert.equal(recordOf(changed, 'another'), undefined);
});
