// Adds up what the fuzz targets have searched. Each machine has its own log of slices; tests/fuzz/cpp/searches.jsonl
// has the sums of all logs, so that hours are not lost with a machine.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/setup/run.mjs';

const file = join(root, 'tests', 'fuzz', 'cpp', 'searches.jsonl');

/**
 * One search: how long and with how many inputs a target ran, and whether an input failed. `key` is the hash of the
 * target's sources (targets.mjs), `log` the date of the first slice of the log that it is from.
 * @typedef {{ log: string, name: string, key: string, seconds: number, executions: number, finding?: string }} Search
 */

/** @returns {Search[]} the sums of all logs, oldest first */
export function storedSearches() {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

const rounded = (seconds) => Number(seconds.toFixed(1));

// Sums slices of the same target and sources; one with a finding ends a sum.
function sumsOf(log, slices) {
  const sums = [];
  for (const { name, key, seconds, executions, finding } of slices) {
    const last = sums.findLast((each) => each.name === name);
    const sum = last?.key === key && !last.finding ? last : { log, name, key };
    if (sum !== last) sums.push(sum);
    sum.seconds = rounded((sum.seconds ?? 0) + seconds);
    sum.executions = (sum.executions ?? 0) + executions;
    if (finding) sum.finding = finding.split('/').at(-1);
  }
  return sums;
}

/** Returns the searches of other logs than this one, whose slices these are. */
export const searchesOfOthers = (slices) =>
  storedSearches().filter(({ log }) => log !== slices[0]?.date);

/** Replaces the stored sums of the log that has these slices. */
export function storeSearches(slices) {
  if (slices.length === 0) return;
  const all = [...searchesOfOthers(slices), ...sumsOf(slices[0].date, slices)];
  writeFileSync(file, all.map((search) => `${JSON.stringify(search)}\n`).join(''));
}
