// Times candidates alternately in one run, so that changes in machine speed affect all of them, and returns medians.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

// Exported so that the engine cannot optimize the results away.
export let lastResult;

// The first run is not timed, because the previous candidate changed the CPU caches.
function timeOf(work, { repeat = 1, freeMemory = false }) {
  lastResult = work();
  lastResult = undefined;
  if (freeMemory) collectGarbage();
  const start = performance.now();
  for (let i = 0; i < repeat; i++) lastResult = work();
  return (performance.now() - start) / repeat;
}

/** Returns the median of numbers. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Returns the median of numbers, and the quartiles: half of them are between `low` and `high`. */
export function spread(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))];
  return { median: median(values), low: at(0.25), high: at(0.75) };
}

/**
 * Returns the median milliseconds of each candidate. Every round runs all of them, starting with the next one.
 * @template {string} Name
 * @param {{ [name in Name]: () => unknown }} candidates
 * @param {{ rounds: number, repeat?: number, freeMemory?: boolean }} options `repeat` runs are timed as one, for
 *   candidates that are faster than the clock resolution. `freeMemory` collects garbage before each run, so that
 *   memory allocation costs the same for all; it also discards optimized code, so use it for copies only.
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

/**
 * Returns the median milliseconds of each candidate like `interleave`, for candidates that are asynchronous and measure
 * themselves.
 * @template {string} Name
 * @param {{ [name in Name]: () => number | Promise<number> }} candidates each returns milliseconds
 * @param {{ rounds: number }} options
 * @returns {Promise<{ [name in Name]: number }>}
 */
export async function interleaveMeasured(candidates, { rounds }) {
  const names = Object.keys(candidates);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -Math.ceil(rounds / 10); round < rounds; round++) {
    for (let i = 0; i < names.length; i++) {
      const name = names.at((round + i) % names.length);
      const time = await candidates[name]();
      if (round >= 0) times[name].push(time);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])]));
}
