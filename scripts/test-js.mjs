// npm run test:js: runs the JavaScript tests on the built package. A file of tests/js/portable runs in
// Node only. Without files, all tests run: in Node, workerd, Deno, Bun and the browsers.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { failedTestsOf, failureText, runAgain } from './setup/failed-tests.mjs';
import { readCommand } from './setup/options.mjs';
import { prepare } from './setup/prepare.mjs';
import { SetupError, inParallel, jobs, main, root, run, step } from './setup/run.mjs';
import { filesBelow } from './setup/stamp.mjs';

const usage = `Usage: npm run test:js -- [FILE ...]

  FILE  a test file, such as tests/js/requests.test.mjs (default: all but those of long checks)`;

const isPortable = (file) => /(^|\/)portable\/[^/]+\.mjs$/.test(file);

// Builds the whole site: `npm run verify -- browsers` runs it.
const long = 'tests/browser/site.test.mjs';

function allTests() {
  return filesBelow('tests', ['.test.mjs']).filter(
    (file) => /^tests\/(js|edge|browser)\//.test(file) && file !== long,
  );
}

function chosenTests() {
  const args = readCommand(usage).positionals.map((file) => relative(root, resolve(root, file)));
  const missing = args.find((file) => !existsSync(join(root, file)));
  if (missing !== undefined) throw new SetupError(`There is no file ${missing}\n\n${usage}`);
  if (args.length === 0) return { files: allTests(), env: {} };
  const portable = args.filter(isPortable);
  const files = args.filter((file) => !isPortable(file));
  if (portable.length > 0 && files.length === 0) files.push('tests/js/portable.test.mjs');
  return { files, env: portable.length > 0 ? { STRATA_PORTABLE: basename(portable[0]) } : {} };
}

const failures = join(root, 'build', 'failed-tests');
const tenMinutes = 600_000;
const longest = [
  'browser/playground-chat',
  'edge/threads-attacks',
  'js/docs',
  'browser/webkit',
  'edge/workerd',
  'browser/playground-lint',
  'browser/playground-frame',
  'edge/threads-deletion',
  'browser/dashboard',
  'browser/playground-share',
  'js/portable',
  'browser/playground-axe',
  'js/types',
  'browser/playground',
  'browser/drivers',
  'browser/chromium',
  'browser/playground-rules',
  'browser/playground-forced-colors',
  'browser/playground-tools',
  'edge/threads-restart',
  'browser/playground-prompt',
  'js/cli',
];

/** The files that take longest come first, so that no processor waits for them at the end. */
function longestFirst(files) {
  const rank = (file) => {
    const place = longest.findIndex((name) => file.endsWith(`/${name}.test.mjs`));
    return place < 0 ? longest.length : place;
  };
  return [...files].sort((one, other) => rank(one) - rank(other));
}

// The closing lines of the runner, such as "ℹ tests 12". Those of single files are in the way between those of 200.
const closingLine = /^ℹ (\w+) ([\d.]+)\n/gm;

/**
 * Runs a test file, prints what it says, adds its numbers to `totals`, and returns its failed tests. One that hangs fails
 * after ten minutes.
 */
async function runFile(file, env, totals) {
  const start = performance.now();
  const show = (output) => {
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    for (const [, name, number] of output.matchAll(closingLine))
      totals[name] = (totals[name] ?? 0) + Number(number);
    console.log(`\n${file} (${seconds} s)\n${output.replaceAll(closingLine, '').trimEnd()}`);
  };
  const list = join(failures, `${file.replaceAll('/', '-')}.jsonl`);
  const reporter = join(root, 'scripts/setup/failed-tests.mjs');
  const options = ['--test-reporter=spec', '--test-reporter-destination=stdout'];
  options.push(`--test-reporter=${reporter}`, `--test-reporter-destination=${list}`);
  try {
    show(await run(process.execPath, [...options, file], { env, timeout: tenMinutes }));
    return [];
  } catch (error) {
    show(error.message);
    const lines = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : [];
    return failedTestsOf(file, lines, error.message);
  }
}

/** Runs test files, some at once: browsers keep the processors busy, and many of the other tests wait. */
async function runAtOnce(files, env, totals) {
  const failed = [];
  const runOne = async (file) => failed.push(...(await runFile(file, env, totals)));
  await inParallel(files, runOne, jobs + 3);
  return failed;
}

// As the runner prints them for one process: its durations are those of processes that ran at once.
function printTotals(totals, flaky, seconds) {
  const { tests, suites, pass, fail, cancelled, skipped, todo } = totals;
  const numbers = {
    tests,
    suites,
    pass: pass + flaky,
    fail: fail - flaky,
    cancelled,
    skipped,
    todo,
  };
  const lines = Object.entries({ ...numbers, duration_ms: Math.round(seconds * 1000) });
  console.log(`\n${lines.map(([name, number]) => `ℹ ${name} ${number}`).join('\n')}`);
}

async function runFiles(files, env) {
  rmSync(failures, { recursive: true, force: true });
  mkdirSync(failures, { recursive: true });
  const start = performance.now();
  const totals = {};
  const first = await runAtOnce(longestFirst(files), env, totals);
  const { failed, flaky } = await runAgain(first, (file) => {
    console.log(`\nAgain, alone: ${file}`);
    return runFile(file, env, {});
  });
  printTotals(totals, flaky.length, (performance.now() - start) / 1000);
  // Last, because a record of the run may have its last lines only.
  if (flaky.length > 0)
    console.log(`\nFlaky tests, which passed alone:\n${flaky.map(failureText).join('')}`);
  if (failed.length > 0) throw new SetupError(`Failed tests:\n${failed.map(failureText).join('')}`);
}

async function runTests({ files, env }) {
  const needsBrowsers = files.some((file) => file.includes('tests/browser/'));
  await prepare('package', ...(needsBrowsers ? ['browsers'] : []));
  const { prepareConsumer } = await import('../tests/support/consumer.mjs');
  await step('install the packed package', prepareConsumer);
  if (needsBrowsers) {
    // Two test files open the page concurrently, so it is built before they start.
    const { buildPlayground } = await import('./setup/playground.mjs');
    await step('bundle the playground', buildPlayground);
  }
  await runFiles(files, env);
}

await main(() => runTests(chosenTests()));
