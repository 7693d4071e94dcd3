// npm run gates -- [--update] [--runs N]: counts the instructions of five paths through the core, and compares them with
// tests/gates/instructions.json. To show that this finds a slowdown of 5 %, each path is counted again with 5 % more work.
import { compare } from './compare.mjs';
import { count, largestFunctions, paths, toolchain } from './callgrind.mjs';
import { readRecords, recordOf, updateRecord, writeRecords } from './records.mjs';
import { readNumber, readOptions } from '../../scripts/setup/options.mjs';
import { prepare } from '../../scripts/setup/prepare.mjs';
import { SetupError, main, step } from '../../scripts/setup/run.mjs';

const usage = `Usage: npm run gates -- [--update] [--runs N]

  --update  record the numbers of this toolchain in tests/gates/instructions.json
  --runs N  count each path N times and print how far the numbers differ (default: 1)`;

function readArguments() {
  const options = { update: { type: 'boolean' }, runs: { type: 'string' } };
  const { update = false, runs = '1' } = readOptions(usage, options);
  return { update, runs: readNumber('runs', runs, usage, 1) };
}

// Counts a path, and the same path with a planted slowdown.
async function countPath(path, runs) {
  const slow = count(path, { slow: true });
  const counts = [];
  for (let i = 0; i < runs; i++) counts.push(await count(path));
  const numbers = counts.map(({ instructions }) => instructions);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const spread = `, spread ${((100 * (most - least)) / least).toFixed(4)} % in ${runs} runs`;
  const note = `${least.toLocaleString('en-US')} instructions${runs > 1 ? spread : ''}`;
  return { path, note, now: least, slow: (await slow).instructions, file: counts[0].file };
}

// The gate must fail for a slowdown of 5 %.
function missedSlowdown({ path, now, slow }, tolerance) {
  const { verdict } = compare({ path, before: now, now: slow, tolerance });
  if (verdict === 'slower') return [];
  return [`${path}: the gate does not notice 5 % more work (${now} and ${slow} instructions).`];
}

async function slowdown({ file }, text) {
  const lines = await largestFunctions(file);
  return [text, 'Its largest functions, by their own instructions:', ...lines].join('\n  ');
}

// Compares each path with its recorded number. Returns the failures.
async function judge(counted, before, tolerance) {
  const failures = [];
  for (const result of counted) {
    if (!(result.path in before)) {
      failures.push(`${result.path} has no recorded number. Run \`npm run gates -- --update\`.`);
      continue;
    }
    const { verdict, text } = compare({ ...result, before: before[result.path], tolerance });
    if (verdict === 'faster') console.log(`\n${text}`);
    if (verdict === 'slower') failures.push(await slowdown(result, text));
  }
  return failures;
}

function printNotCompared(records, tools) {
  const known = records.records.map((record) => `  ${record.toolchain}`);
  console.log(
    [
      `\nNOT COMPARED: tests/gates/instructions.json has no numbers for this toolchain:\n  ${tools}`,
      `It has numbers for:\n${known.join('\n') || '  none'}`,
      'Record those of this toolchain with `npm run gates -- --update`.',
    ].join('\n'),
  );
}

function record(records, tools, counted) {
  const instructions = Object.fromEntries(counted.map(({ path, now }) => [path, now]));
  writeRecords(updateRecord(records, tools, instructions));
  console.log(`\nRecorded for ${tools}.`);
}

async function runGates({ update, runs }) {
  const records = readRecords();
  const tools = await toolchain();
  const counted = [];
  for (const path of paths) counted.push(await step(path, () => countPath(path, runs)));
  const missed = counted.flatMap((result) => missedSlowdown(result, records.tolerance));
  if (missed.length === 0) console.log('\nA planted slowdown of 5 % is rejected in every path.');
  if (update) record(records, tools, counted);
  const before = recordOf(readRecords(), tools);
  if (!before) printNotCompared(records, tools);
  const slower = before ? await judge(counted, before, records.tolerance) : [];
  const failures = [...missed, ...slower];
  if (failures.length > 0) throw new SetupError(failures.join('\n\n'));
}

await main(async () => {
  const options = readArguments();
  await prepare('gates');
  await runGates(options);
});
