// Tests that WebAssembly memory stops growing while turns are appended, with and without dispose.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as pkg from 'prompt-strata';
import { loadWithMemory } from './portable/memory.mjs';
import { collectGarbage } from './memory/collect-garbage.mjs';
import { runWorkload, workloads } from './memory/workloads.mjs';

const groupsInTenth = 3;

for (const [name, appendGroup] of Object.entries(workloads)) {
  test(`${name}: memory does not grow after the first half`, async () => {
    const { strata, memory } = await loadWithMemory(pkg.load);
    const sizes = [];
    const group = await appendGroup(pkg, strata);
    await runWorkload(() => appendGroup(pkg, strata), 10 * groupsInTenth * group, {
      afterTenth: async () => {
        await collectGarbage();
        sizes.push(memory.buffer.byteLength);
      },
    });
    assert.equal(sizes.at(-1), sizes[4], `${sizes}`);
  });
}
