// npm run models: prints the models of the catalogue with their sources and their age, and names the rows that should be checked again.
import { ageOf, cellsOf, routeText, sourcesOf, table } from './model-rows.mjs';
import { readCommand } from '../../scripts/setup/options.mjs';
import { SetupError, main } from '../../scripts/setup/run.mjs';

const hasColors = process.stdout.isTTY && !process.env.NO_COLOR;
const style = (code) => (text) => (hasColors ? `\x1b[${code}m${text}\x1b[0m` : String(text));
const [bold, dim, yellow] = [1, 2, 33].map(style);

const MAX_AGE_DAYS = 60;

const usage = `Usage: npm run models -- [DATE]

  DATE  the day at which the ages are computed, such as 2026-08-01 (default: today)`;

let today = new Date().toISOString().slice(0, 10);

await main(() => {
  const [date = today, ...others] = readCommand(usage).positionals;
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(date) && !Number.isNaN(Date.parse(date));
  if (!isDate || others.length > 0)
    throw new SetupError(`${[date, ...others].join(' ')} is not a date\n\n${usage}`);
  today = date;
});

const columns = ['id', 'rules', 'limits', 'explicit', 'implicit', 'thinking', 'prices', 'served'];

const lines = [
  Object.fromEntries(columns.map((name) => [name, name])),
  ...table.models.map(cellsOf),
];
const widths = columns.map((name) => Math.max(...lines.map((line) => line[name].length)));
const printable = (line) => columns.map((name, i) => line[name].padEnd(widths[i])).join('  ');

const ageText = (row) => `checked ${row.checked}, ${ageOf(row, today)} days ago`;
const sourceLines = (row) =>
  sourcesOf(row).map(({ text, url, date }) => dim(`    ${date}  ${url}  ${text}`));

console.log(
  `Rows of ${table.asOf}; prices in USD per million tokens: input / output / cache read / storage per hour\n`,
);
console.log(bold(printable(lines[0])));
table.models.forEach((row, i) => {
  console.log(printable(lines[i + 1]).trimEnd());
  console.log(dim(`    ${ageText(row)}${row.note ? `. ${row.note}` : ''}`));
  sourceLines(row).forEach((line) => console.log(line));
});

console.log(`\n${bold('Routes')}`);
for (const row of table.routes) {
  console.log(`${routeText(row)} ${dim(`(${ageText(row)})`)}`);
  sourceLines(row).forEach((line) => console.log(line));
}

const old = [...table.models.map((row) => ({ ...row, name: cellsOf(row).id })), ...table.routes];
const stale = old.filter((row) => ageOf(row, today) > MAX_AGE_DAYS);
console.log(
  stale.length === 0
    ? `\nEvery row was checked in the last ${MAX_AGE_DAYS} days.`
    : yellow(
        `\nOlder than ${MAX_AGE_DAYS} days, to be checked again: ${stale.map(({ name }) => name).join(', ')}`,
      ),
);
