// Makes the tables of the site about gates: the limits of sizes, and the recorded numbers of instructions.
import { sizeLimits } from '../../scripts/setup/sizes.mjs';
import { readRecords } from '../../tests/gates/records.mjs';
import { paths } from '../../tests/gates/callgrind.mjs';

const lines = (head, rows) =>
  [head, head.map((_, i) => (i === 0 ? '---' : '---:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');

const kB = (size) => (size === undefined ? '–' : `${size} kB`);

function sizeTable() {
  const rows = Object.entries(sizeLimits.entries).map(([name, { most, mostWebAssembly, goal }]) => [
    `\`${name}\``,
    ...[most, mostWebAssembly, goal].map(kB),
  ]);
  return lines(['Entry', 'At most', 'its WebAssembly', 'Goal'], rows);
}

function instructionTable() {
  const { records } = readRecords();
  const rows = records.map(({ toolchain, instructions }) => [
    toolchain,
    ...paths.map((path) => instructions[path].toLocaleString('en-US')),
  ]);
  return lines(['Toolchain', ...paths.map((path) => `\`${path}\``)], rows);
}

/** What the page of the architecture shows about gates in the places that it names. */
export const gateTables = { sizes: sizeTable, instructions: instructionTable };
