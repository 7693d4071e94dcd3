// Runs the cases of one part, logs each result, and writes the table of the last results.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '../support/table.mjs';
import { setBlock } from '../support/blocks.mjs';
import { openLog } from './log.mjs';
import { machine } from '../support/machine.mjs';
import { page, withOverview } from './overview.mjs';
import { parts } from './parts.mjs';
import { root, SetupError } from '../../scripts/setup/run.mjs';

/**
 * One part.
 * @typedef {object} Part
 * @property {string} title
 * @property {string} about what the table shows
 * @property {string[]} head the names of the columns
 * @property {() => Promise<{ key: string, context: unknown }>} prepare `key` identifies what is checked: results of
 *   another key are not reused
 * @property {Case[]} cases
 * @property {(context: unknown, options: WorkOptions) => Promise<void>} [work] does the long work of all cases, and logs
 *   it itself. The cases only report, so all of them run each time
 * @property {(results: Result[]) => string[][]} [sumRows] returns the rows, if they are not one for each case
 * @property {string} [page] another page that shows the table
 */

/**
 * What `work` is asked for: only the cases whose name contains `only`, all of it again, and for how long.
 * @typedef {{ only: string, fresh: boolean, minutes?: number }} WorkOptions
 */

/**
 * One case: its name, and a function that returns the cells of its row, or throws. `key` identifies what the case
 * checks, if that is not what the part checks.
 * @typedef {{ name: string, key?: string, run: (context: unknown) => Promise<string[]> }} Case
 */

/**
 * The result of one case.
 * @typedef {{ name: string, key: string, date: string, ok: boolean, seconds: number, cells?: string[], error?: string }} Result
 */

const describe = (error) =>
  error instanceof SetupError ? error.message : String(error?.stack ?? error);

async function runCase({ name, run }, key, context) {
  const start = performance.now();
  const finish = (rest) => {
    const seconds = Number(((performance.now() - start) / 1000).toFixed(1));
    return { name, key, date: new Date().toISOString(), seconds, ...rest };
  };
  try {
    return finish({ ok: true, cells: await run(context) });
  } catch (error) {
    return finish({ ok: false, error: describe(error) });
  }
}

const lastLines = (text, count) => text.trim().split('\n').slice(0, count).join('\n    ');

function printResult({ name, ok, seconds, error }) {
  const end = ok ? `${seconds} s` : `FAILED\n    ${lastLines(error, 20)}`;
  console.log(`  ${`${name} `.padEnd(60, '.')} ${end}`);
}

// Rows are put together only where nothing failed.
function rowsOf({ head, sumRows }, results) {
  if (sumRows && results.every(({ ok }) => ok)) return sumRows(results);
  return results.map(({ cells, ok, name }) =>
    ok ? cells : [name, 'failed', ...head.slice(2).map(() => '')],
  );
}

function duration(results) {
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole === 1) return '1 second';
  return whole < 100 ? `${whole} seconds` : `${Math.ceil(whole / 60)} minutes`;
}

function blockOf(name, part, results) {
  const passed = results.filter(({ ok }) => ok).length;
  const dates = results.map(({ date }) => date.slice(0, 10)).sort();
  const rows = rowsOf(part, results);
  return [
    part.about,
    `Last run: ${dates.at(-1)}, \`npm run verify -- ${name}\`, ${machine()}. ${passed} of ${results.length} cases passed in ${duration(results)}.`,
    table(part.head, rows),
  ].join('\n\n');
}

/** Writes the block of a part, and the table of all parts, which says when each last ran. */
export function writeBlock(name, text) {
  const path = join(root, page);
  setBlock(path, name, text);
  writeFileSync(path, withOverview(readFileSync(path, 'utf8'), parts));
}

/**
 * Runs a part. Returns the number of cases that failed.
 * @param {string} name
 * @param {Part} part
 * @param {{ folder: string, only: string, fresh: boolean, minutes?: number }} options
 */
export async function runPart(name, part, { folder, only, fresh, minutes }) {
  const { key, context } = await part.prepare();
  await part.work?.(context, { only, fresh, minutes });
  const log = openLog(join(folder, `${name}.jsonl`));
  const chosen = part.cases.filter((each) => part.work || each.name.includes(only));
  const keyOf = (each) => each.key ?? key;
  const lastOf = (each) => log.last(each.name, keyOf(each));
  const done = (each) => !part.work && !fresh && lastOf(each)?.ok;
  const reused = chosen.filter(done).length;
  if (reused > 0) console.log(`  ${reused} cases have passed with this package before`);
  for (const each of chosen) {
    if (done(each)) continue;
    const result = await runCase(each, keyOf(each), context);
    log.append(result);
    printResult(result);
  }
  const results = part.cases.map(lastOf).filter(Boolean);
  const failed = results.filter(({ ok }) => !ok).length;
  // A page never shows half of a run.
  if (results.length === part.cases.length) {
    writeBlock(name, blockOf(name, part, results));
    if (part.page) setBlock(join(root, part.page), name, table(part.head, rowsOf(part, results)));
  }
  return failed;
}
