// The template fuzzer: its generator, its comparison, its oracle, and the output of its command.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { root } from '../../scripts/setup/run.mjs';
import { compare } from '../fuzz/compare.mjs';
import { caseLine, generateCase } from '../fuzz/generate.mjs';
import { generateIntegers } from '../fuzz/integers.mjs';
import { LineProcess } from '../fuzz/line-process.mjs';
import { findPython, startOracle } from '../fuzz/oracle.mjs';
import { shrink } from '../fuzz/shrink.mjs';

const folder = mkdtempSync(join(tmpdir(), 'fuzz-test-'));
after(() => rmSync(folder, { recursive: true }));

const python = findPython();
const skip = python ? false : 'no Python with Jinja2 here: install python3-jinja2';
const indexes = Array.from({ length: 1000 }, (_, index) => index);
const sourceOf = ({ template, templates }) => [template, ...Object.values(templates)].join('\n');

test('generates the same case for the same seed and index, in any order', () => {
  const forwards = indexes.map((index) => caseLine(generateCase(3, index)));
  const backwards = indexes.toReversed().map((index) => caseLine(generateCase(3, index)));
  assert.deepEqual(backwards.toReversed(), forwards);
  assert.equal(new Set(forwards).size, forwards.length);
  assert.notEqual(caseLine(generateCase(4, 0)), forwards[0]);
});

test('generates the same cases in another process', () => {
  const program =
    "import { caseLine, generateCase } from './tests/fuzz/generate.mjs';" +
    'console.log(caseLine(generateCase(9, 41)));';
  const run = { cwd: root, encoding: 'utf8' };
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], run);
  assert.equal(stdout, `${caseLine(generateCase(9, 41))}\n`);
});

test('passes the context to the engines as text, so 2.0 stays 2.0', () => {
  const line = caseLine({ ...generateCase(1, 0), context: '{"x": 2.0, "y": 1e16}' });
  assert.ok(line.endsWith(',"context":{"x": 2.0, "y": 1e16}}'));
  assert.deepEqual(JSON.parse(line).context, { x: 2, y: 1e16 });
});

test('generates every construct of the language', () => {
  const sources = indexes.map((index) => sourceOf(generateCase(1, index))).join('\n');
  const words =
    'if elif else for recursive break continue set namespace with macro call caller filter raw include import from extends block ' +
    'super self scoped required autoescape do generation loop.cycle loop.changed loop.previtem loop.depth varargs ' +
    'kwargs cycler joiner range dict format tojson groupby batch slice dictsort selectattr rejectattr map unique sort sum ' +
    'wordwrap truncate indent urlize xmlattr striptags urlencode pprint filesizeformat round default replace ' +
    'divisibleby sameas defined iterable mapping splitlines partition zfill removeprefix startswith casefold isidentifier update setdefault ' +
    'popitem extend raise_exception strftime_now without ignore';
  for (const word of words.split(' '))
    assert.match(sources, new RegExp(`(?<!\\w)${word.replace('.', '\\.')}(?!\\w)`), word);
  for (const piece of [
    '{%-',
    '-%}',
    '{%+',
    '+%}',
    '{#-',
    '{{-',
    '::-1',
    '**',
    '//',
    ' ~ ',
    '\r\n',
    '日本語',
  ])
    assert.ok(sources.includes(piece), piece);
});

test('generates every option of a case', () => {
  const options = indexes.map((index) => generateCase(1, index).options);
  for (const kind of ['default', 'strict', 'chainable', 'debug'])
    assert.ok(
      options.some((one) => one.undefined === kind),
      kind,
    );
  for (const flag of ['trim_blocks', 'lstrip_blocks', 'keep_trailing_newline', 'autoescape'])
    assert.ok(options.some((one) => one[flag]) && options.some((one) => !one[flag]), flag);
});

test('generates integers beyond 64 bits, and every kind of expression with them', () => {
  const all = indexes.map((index) => generateIntegers(1, index));
  assert.deepEqual(generateIntegers(1, 7), all[7]);
  assert.equal(new Set(all.map(caseLine)).size, all.length);
  const text = all.map(({ template }) => template).join('\n');
  for (const piece of [
    '+',
    '-',
    '*',
    '//',
    '%',
    '**',
    ' / ',
    '<=',
    '==',
    '0x',
    '0o',
    '0b',
    '_',
    'round',
    'tojson',
    'format',
  ])
    assert.ok(text.includes(piece), piece);
  assert.match(text, /(?<![\w.])\d{30,60}(?![\w.])/);
  const digits = all.map(({ context }) =>
    Math.max(...context.match(/\d+/g).map(({ length }) => length)),
  );
  assert.ok(digits.some((count) => count > 200) && digits.every((count) => count <= 308));
});

const error = (kind, line) => ({ err: line === undefined ? { kind } : { kind, line } });
for (const [reference, engine, verdict] of [
  [{ out: 'a' }, { out: 'a' }, 'equal'],
  [{ out: 'a' }, { out: 'b' }, 'different'],
  [{ out: 'a' }, error('runtime', 1), 'different'],
  [error('runtime', 1), { out: 'a' }, 'different'],
  [error('syntax', 2), error('syntax', 2), 'equal'],
  [error('syntax', 2), error('syntax', 3), 'different'],
  [error('syntax'), error('syntax', 3), 'equal'],
  [error('runtime', 1), error('undefined', 1), 'different'],
  [{ out: '<f at 0x7f0011223344>' }, { out: '<f>' }, 'address'],
  [{ out: '1' }, error('limit', 1), 'limit'],
  [error('too slow'), { out: '1' }, 'slow'],
]) {
  test(`compares ${JSON.stringify(reference)} and ${JSON.stringify(engine)}: ${verdict}`, () => {
    assert.equal(compare(reference, engine), verdict);
  });
}

test('shrinks a template to the text that causes the difference', async () => {
  const differs = async (text) => text.includes('{{') && text.includes('é');
  assert.equal(await shrink('some text {{ a }} and é behind it', differs), '{{é');
});

test('restarts a program that exits on a line', async () => {
  const program = `require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    if (line === 'end') process.exit(7);
    console.log(JSON.stringify({ out: line }));
  });`;
  const lines = new LineProcess(process.execPath, ['-e', program]);
  const results = await Promise.all(['a', 'end', 'b'].map((line) => lines.ask(line)));
  assert.deepEqual(results[0], { out: 'a' });
  assert.deepEqual(results[1], { err: { kind: 'ended', message: 'exit code 7' } });
  assert.deepEqual(results[2], { out: 'b' });
  lines.close();
});

test('reports a program that does not exist for each line', async () => {
  const lines = new LineProcess(join(folder, 'nothing'));
  const { err } = await lines.ask('a');
  assert.equal(err.kind, 'ended');
  assert.match(err.message, /ENOENT/);
});

const cases = [
  ['{{ [1, 2.0, none, "é"] }}', {}, { out: "[1, 2.0, None, 'é']" }],
  ['a\n{{ nothing.x }}', {}, { kind: 'undefined', line: 2 }],
  ['a\n{% if %}', {}, { kind: 'syntax', line: 2 }],
  ["{% include 'tools' %}", {}, { kind: 'undefined', line: 3 }],
  ["{% include 'nowhere' %}", {}, { kind: 'not_found', line: 1 }],
  ["{{ raise_exception('no') }}", {}, { kind: 'raised', line: 1 }],
  ['{{ 1 // 0 }}', {}, { kind: 'zero_division', line: 1 }],
  [
    '{{ "<" }}{{ nothing }}',
    { autoescape: true, undefined: 'debug' },
    { out: '&lt;{{ nothing }}' },
  ],
  ['{{ {"b": "<é"} | tojson }}', { tojson: 'plain' }, { out: '{"b": "<é"}' }],
  [
    '{% do [] %}{% generation %}x{% endgeneration %}',
    { extensions: ['do', 'generation'] },
    { out: 'x' },
  ],
];

test('the oracle returns texts, and kinds and lines of errors', { skip }, async () => {
  const oracle = startOracle(python);
  const templates = { tools: '\n\n{{ nothing.y }}' };
  for (const [template, options, expected] of cases) {
    const line = JSON.stringify({ name: 'one', template, templates, options, context: {} });
    const { name, out, err } = await oracle.ask(line);
    assert.equal(name, 'one');
    const actual = err ? { kind: err.kind, line: err.line } : { out };
    assert.deepEqual(actual, expected, template);
  }
  oracle.close();
});

/** Writes an engine that prints the same result for every case, and returns its path. */
function constantEngine(result) {
  const file = join(folder, 'engine.mjs');
  const answer = JSON.stringify(JSON.stringify(result));
  writeFileSync(
    file,
    `#!${process.execPath}\nimport { createInterface } from 'node:readline';\n` +
      `createInterface({ input: process.stdin }).on('line', () => console.log(${answer}));\n`,
  );
  chmodSync(file, 0o755);
  return file;
}

test('the command prints a difference with everything needed to reproduce it', { skip }, () => {
  const engine = constantEngine({ out: 'never the same' });
  const options = ['--seeds', '1', '--first', '5', '--count', '3', '--engine', engine];
  const run = spawnSync(process.execPath, ['tests/fuzz/main.mjs', ...options], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.equal(run.status, 1, run.stderr);
  assert.match(run.stdout, /seed 5: 3 templates \.+ .* 3 different/);
  const { context } = generateCase(5, 2);
  const [, last] = run.stdout.split('seed 5, index 2\n');
  for (const part of ['  template\n', '  context\n', context, '  Python\n', '"never the same"'])
    assert.ok(last.includes(part), part);
  assert.ok(last.includes('npm run fuzz:jinja -- --seeds 1 --first 5 --only 2'));
});

test('the command repeats one of the integer expressions', { skip }, () => {
  const engine = constantEngine({ out: 'never the same' });
  const options = ['--integers', '--first', '4', '--only', '9', '--engine', engine];
  const run = spawnSync(process.execPath, ['tests/fuzz/main.mjs', ...options], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.equal(run.status, 1, run.stderr);
  assert.ok(run.stdout.includes(generateIntegers(4, 9).context));
  assert.ok(run.stdout.includes('--seeds 1 --first 4 --only 9 --integers'));
});
