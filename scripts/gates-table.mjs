// Writes the tables of docs/architecture.md about gates: the limits of sizes, and the recorded numbers of instructions.
import { sizeLimits } from './setup/sizes.mjs';
import { readRecords } from '../tests/gates/records.mjs';
import { paths } from '../tests/gates/callgrind.mjs';

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

const tables = { sizes: sizeTable, instructions: instructionTable };

/**
 * Returns the page with its tables.
 * @param page the text of docs/architecture.md
 */
export const gatesPage = (page) =>
  page.replace(
    /(<!-- gates: (\w+) -->\n)[\s\S]*?(<!-- \/gates -->)/g,
    (_, open, name, close) => `${open}${tables[name]()}\n${close}`,
  );
