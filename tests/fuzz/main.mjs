// npm run fuzz:jinja: renders random templates with Python's Jinja2 and with this engine, and prints differences
// in the output, in the kind of an error or in its line.
import { join } from 'node:path';
import { readNumber, readOptions } from '../../scripts/setup/options.mjs';
import { prepare } from '../../scripts/setup/prepare.mjs';
import { main, root, SetupError, step } from '../../scripts/setup/run.mjs';
import { LineProcess } from './line-process.mjs';
import { findPython, jinjaVersion, startOracle } from './oracle.mjs';
import { renderWithBoth, runSeed, shrinkDifference } from './run-seed.mjs';
import { generateCase } from './generate.mjs';
import { generateIntegers } from './integers.mjs';

const usage = `Usage: npm run fuzz:jinja -- [--seeds N] [--count N] [--first N] [--only INDEX] [--integers] [--show N] [--shrink] [--engine FILE]

  --seeds N      number of seeds (default: 20; 1 with --only)
  --count N      templates per seed (default: 2000)
  --first N      first seed (default: 1)
  --only INDEX   render one template of the first seed and print the result
  --integers     templates that compute with integers of any size
  --show N       number of differences to print (default: 10)
  --shrink       shrink the templates of these differences
  --engine FILE  existing engine binary, such as build/asan/tests/jinja_grade

The same seed and index always produce the same template. The exit code is 1 if there are differences.`;

function readArguments() {
  const text = { type: 'string' };
  const given = readOptions(usage, {
    ...{ seeds: text, count: text, first: text, only: text, show: text, engine: text },
    shrink: { type: 'boolean' },
    integers: { type: 'boolean' },
  });
  const number = (name, value, min) => readNumber(name, given[name] ?? String(value), usage, min);
  const only = given.only === undefined ? undefined : number('only', 0, 0);
  const seeds = number('seeds', only === undefined ? 20 : 1, 1);
  if (only !== undefined && seeds !== 1)
    throw new SetupError(`--only requires a single seed. Omit --seeds.\n\n${usage}`);
  const numbers = { count: number('count', 2000, 1), first: number('first', 1, 0) };
  const { shrink, engine, integers } = given;
  return { ...numbers, seeds, only, show: number('show', 10, 0), shrink, engine, integers };
}

const shown = (text) => text.replace(/^/gm, '    ');

const outcome = ({ out, err }) => JSON.stringify(err ? { err } : { out });

function printResult({ one, python, engine }, { integers }) {
  const [seed, index] = one.name.split('/');
  console.log(`\nseed ${seed}, index ${index}\n  template\n${shown(one.template)}`);
  for (const [name, source] of Object.entries(one.templates))
    console.log(`  template ${name}\n${shown(source)}`);
  console.log(`  context\n${shown(one.context)}`);
  console.log(`  options\n${shown(JSON.stringify(one.options))}`);
  console.log(`  Python\n${shown(outcome(python))}`);
  console.log(`  engine\n${shown(outcome(engine))}`);
  const kind = integers ? ' --integers' : '';
  console.log(
    `  reproduce\n    npm run fuzz:jinja -- --seeds 1 --first ${seed} --only ${index}${kind}`,
  );
}

const number = (n) => n.toLocaleString('en-US');

/** Summarizes the counts. Reasons with a count of zero are omitted. */
function summary({ rendered, errors, different, address, limit, slow }) {
  const skipped = [
    [address, 'with a memory address in the output'],
    [limit, 'over the render budget'],
    [slow, 'too slow in Python'],
  ];
  const parts = [`${number(rendered)} rendered, ${number(errors)} ended with an error`];
  parts.push(`${number(different)} different`);
  const reasons = skipped.filter(([count]) => count > 0).map(([count, why]) => `${count} ${why}`);
  if (reasons.length > 0) parts.push(`not compared: ${reasons.join(', ')}`);
  return parts.join('; ');
}

function add(total, counts) {
  for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
}

const generatorOf = ({ integers }) => (integers ? generateIntegers : generateCase);

async function runSeeds(options, engines) {
  const { seeds, count, first } = options;
  const total = {};
  const differences = [];
  for (let seed = first; seed < first + seeds; ++seed) {
    const indexes = Array.from({ length: count }, (_, index) => index);
    const result = await step(`seed ${seed}: ${number(count)} templates`, async () => {
      const found = await runSeed(seed, indexes, engines, generatorOf(options));
      return { ...found, note: `${found.counts.different} different` };
    });
    add(total, result.counts);
    differences.push(...result.differences);
  }
  console.log(`\n${summary(total)}.`);
  return differences;
}

async function runOne(options, engines) {
  const one = generatorOf(options)(options.first, options.only);
  const result = await renderWithBoth(one, engines);
  printResult(result, options);
  console.log(
    `\n${result.verdict === 'different' ? 'They differ.' : `Verdict: ${result.verdict}.`}`,
  );
  return result.verdict === 'different' ? [result] : [];
}

async function printDifferences(differences, options, engines) {
  const { show, shrink } = options;
  for (const difference of differences.slice(0, show))
    printResult(shrink ? await shrinkDifference(difference, engines) : difference, options);
  const more = differences.length - show;
  if (more > 0) console.log(`\nAnd ${number(more)} more; --show prints them.`);
}

async function fuzz(options) {
  const python = findPython();
  if (!python) throw new SetupError('No Python with Jinja2 was found. Install python3-jinja2.');
  const engine = options.engine ?? join(root, 'build', 'native', 'tests', 'jinja_grade');
  const engines = { oracle: startOracle(python), engine: new LineProcess(engine) };
  console.log(`Jinja2 ${jinjaVersion(python)} (${python}) and ${engine}`);
  try {
    if (options.only !== undefined) {
      const found = await runOne(options, engines);
      if (options.shrink) await printDifferences(found, options, engines);
      return found.length;
    }
    const differences = await runSeeds(options, engines);
    await printDifferences(differences, options, engines);
    return differences.length;
  } finally {
    engines.oracle.close();
    engines.engine.close();
  }
}

await main(async () => {
  const options = readArguments();
  if (!findPython()) await prepare('jinja-oracle');
  if (!options.engine) await prepare('jinja-engine');
  process.exitCode = (await fuzz(options)) > 0 ? 1 : 0;
});
