// Why this file exists: candidates are timed in turns within one run, so that a machine that slows down
// slows all of them, and each is told by its median.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

// What the candidates give is kept where others could see it, or the engine might not make it.
export let kept;

// One run before is not timed: what the candidate before left in the caches is not its own cost.
function timeOf(work, { repeat = 1, freeMemory = false }) {
  kept = work();
  kept = undefined;
  if (freeMemory) collectGarbage();
  const start = performance.now();
  for (let i = 0; i < repeat; i++) kept = work();
  return (performance.now() - start) / repeat;
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/**
 * Median milliseconds of each candidate. Every round runs all of them, each time another one first.
 * @template {string} Name
 * @param {{ [name in Name]: () => unknown }} candidates
 * @param {{ rounds: number, repeat?: number, freeMemory?: boolean }} options `repeat` runs are timed as
 *   one, for what is quicker than the clock is fine. `freeMemory` frees it before each: a megabyte
 *   costs ten times as much where the system has to find it first, and this makes it alike for all.
 *   It also makes JavaScript forget what it knew of its code, so it is for copies only.
 * @returns {{ [name in Name]: number }}
 */
export function interleave(candidates, options) {
  const { rounds } = options;
  const names = Object.keys(candidates);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -Math.ceil(rounds / 10); round < rounds; round++) {
    for (let i = 0; i < names.length; i++) {
      const name = names.at((round + i) % names.length);
      const time = timeOf(candidates[name], options);
      if (round >= 0) times[name].push(time);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])]));
}
