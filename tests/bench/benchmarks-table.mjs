// Writes the table of the README that compares prompt-strata with the least work: a selection of docs/benchmarks.md.
import { times } from '../support/table.mjs';
import { setBlockIn } from '../support/blocks.mjs';

// A cell as text. Of several columns with one name, the first counts.
function cellOf(page, { section, row, column }) {
  const text = page.split(/\n(?=## )/).find((each) => each.startsWith(`## ${section}\n`)) ?? '';
  const lines = text.split('\n').filter((line) => line.startsWith('| '));
  const [head, ...rows] = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const cells = rows.find(([name]) => name.startsWith(row));
  const found = cells?.[head.indexOf(column)];
  if (!found) throw new Error(`docs/benchmarks.md: no "${column}" of "${row}" in "${section}"`);
  return found;
}

const engines = [
  ['nunjucks', 'nunjucks'],
  ['minijinja-js', 'minijinja-js'],
  ['@huggingface/jinja', '`@huggingface/jinja`'],
  ['Jinja2', "Python's Jinja2"],
];

const appended = (row, task, others) => ({
  task,
  section: 'Appending a turn and assembling the request',
  row,
  column: 'append + assemble',
  others: others.map(([column, name]) => [name, { column }]),
});

const rendered = (column, task) => ({
  task,
  section: 'Rendering a template',
  row: 'prompt-strata',
  column,
  others: engines.map(([row, name]) => [name, { row }]),
});

const copy = ['copy', 'copying the body'];
const stringify = ['stringify + encode', '`JSON.stringify` + encode'];

// What differs of another cell is in `others`.
const rows = [
  appended('1,000', 'Append a turn and assemble the request, 1,000 turns (1.17 MB)', [
    copy,
    stringify,
  ]),
  appended('5,000', 'The same with 5,000 turns (5.85 MB)', [copy, stringify]),
  appended('10', 'The same with 10 turns', [stringify]),
  {
    task: '`lint` a request of 1,000 turns',
    section: 'Linting a request',
    row: '1,000 turns',
    column: 'lint',
    others: [['decoding and `JSON.parse`', { column: 'decode + JSON.parse' }]],
  },
  {
    task: 'Read an answer of 2,000 chunks',
    section: 'Reading a streamed answer',
    row: '2,000',
    column: 'response',
    others: [['splitting and `JSON.parse`', { column: 'split + JSON.parse' }]],
  },
  rendered('compile + render', 'Compile and render a template of 5 KB'),
  rendered('render', 'Render it once it is compiled'),
  {
    task: 'Compile a prompt of 12 sections, 150,000 characters',
    section: 'Compiling a prompt',
    row: '12 sections',
    column: 'compile',
    others: [['only its SHA-256 fingerprints', { column: 'all hashes' }]],
  },
];

const milliseconds = (time) => parseFloat(time) / (time.endsWith('µs') ? 1000 : 1);

function lineOf(page, { task, others, ...place }) {
  const own = cellOf(page, place);
  const compared = others.map(([name, other]) => {
    const time = cellOf(page, { ...place, ...other });
    return `${name} ${time} (${times(milliseconds(time) / milliseconds(own))})`;
  });
  return `| ${task} | ${own} | ${compared.join(', ')} |`;
}

/**
 * Returns the README with its table, in which "×" is the time of the other divided by ours.
 * @param readme the text of README.md
 * @param page the text of docs/benchmarks.md
 */
export function withBenchmarks(readme, page) {
  const head = ['| Task | prompt-strata | Compared with |', '| --- | --- | --- |'];
  const lines = [...head, ...rows.map((row) => lineOf(page, row))].join('\n');
  return setBlockIn(readme, 'bench', lines, 'README.md');
}
