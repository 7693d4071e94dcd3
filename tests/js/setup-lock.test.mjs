// Tests the lock that keeps two commands from building into the same folder: what is left of others does not block it.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { withLock } from '../../scripts/setup/lock.mjs';
import { root } from '../../scripts/setup/run.mjs';

const name = `test-${process.pid}`;
const path = join(root, 'build', `${name}.lock`);
mkdirSync(join(root, 'build'), { recursive: true });

for (const [whose, text] of [
  ['a process that ended', `999999999 ${root}`],
  ['a checkout that was copied with its build folder', `${process.pid} ${root}-original`],
]) {
  test(`takes the lock of ${whose}`, async () => {
    writeFileSync(path, text);
    assert.equal(await withLock(async () => 'done', name), 'done');
    assert.ok(!existsSync(path));
  });
}

test('waits for a process of this checkout', async () => {
  const order = [];
  const first = withLock(async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    order.push('first');
  }, name);
  await Promise.all([first, withLock(async () => order.push('second'), name)]);
  assert.deepEqual(order, ['first', 'second']);
});
