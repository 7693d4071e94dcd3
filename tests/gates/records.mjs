// Reads and writes tests/gates/instructions.json: the recorded numbers of instructions, by toolchain, because they
// differ between compilers.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/setup/run.mjs';

const path = join(root, 'tests/gates/instructions.json');

/** Returns `{ about, tolerance, records: [{ toolchain, instructions: { path: number } }] }`. */
export const readRecords = () => JSON.parse(readFileSync(path, 'utf8'));

/** Returns the recorded numbers of a toolchain, or undefined. */
export const recordOf = ({ records }, toolchain) =>
  records.find((record) => record.toolchain === toolchain)?.instructions;

/** Records numbers for a toolchain. Those of others stay. */
export function updateRecord(all, toolchain, instructions) {
  const others = all.records.filter((record) => record.toolchain !== toolchain);
  return { ...all, records: [...others, { toolchain, instructions }] };
}

/** Writes the file in the form of Prettier. */
export const writeRecords = (all) => writeFileSync(path, `${JSON.stringify(all, null, 2)}\n`);
