// Tests that WebAssembly memory stops growing while turns are appended, with and without dispose.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as pkg from 'prompt-strata';
import { loadWithMemory } from './portable/memory.mjs';
import { runWorkload, workloads } from './memory/workloads.mjs';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
const groupsInTenth = 3;

// A second collection frees what a finalizer has let go.
async function collect() {
  for (let i = 0; i < 2; i++) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

for (const [name, appendGroup] of Object.entries(workloads)) {
  test(`${name}: memory does not grow after the first half`, async () => {
    const { strata, memory } = await loadWithMemory(pkg.load);
    const sizes = [];
    const group = await appendGroup(pkg, strata);
    await runWorkload(() => appendGroup(pkg, strata), 10 * groupsInTenth * group, {
      afterTenth: async () => {
        await collect();
        sizes.push(memory.buffer.byteLength);
      },
    });
    assert.equal(sizes.at(-1), sizes[4], `${sizes}`);
  });
}
