// Runs one workload of the part "memory" in a process of its own, and prints its memory after each tenth as JSON.
import { loadWithMemory } from '../../js/portable/memory.mjs';
import { collectGarbage } from '../../js/memory/collect-garbage.mjs';
import { runWorkload, workloads } from '../../js/memory/workloads.mjs';

const [name, turns] = process.argv.slice(2);
const pkg = await import('prompt-strata');
const { strata, memory } = await loadWithMemory(pkg.load);
const appendGroup = workloads[name];

const tenths = [];
const appended = await runWorkload(() => appendGroup(pkg, strata), Number(turns), {
  afterTenth: async () => {
    await collectGarbage();
    const { heapUsed, rss } = process.memoryUsage();
    tenths.push({ wasm: memory.buffer.byteLength, heap: heapUsed, rss });
  },
});
console.log(JSON.stringify({ appended, tenths }));
