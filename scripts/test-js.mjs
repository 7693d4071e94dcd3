// npm run test:js: runs the JavaScript tests on the built package. A file of tests/js/portable runs in
// Node only. Without files, all tests run: in Node, workerd, Deno, Bun and the browsers.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { failureText } from './setup/failed-tests.mjs';
import { readCommand } from './setup/options.mjs';
import { prepare } from './setup/prepare.mjs';
import { SetupError, main, root, run, step } from './setup/run.mjs';
import { filesBelow } from './setup/stamp.mjs';

const usage = `Usage: npm run test:js -- [FILE ...]

  FILE  a test file, such as tests/js/requests.test.mjs (default: all)`;

const isPortable = (file) => /(^|\/)portable\/[^/]+\.mjs$/.test(file);

function allTests() {
  return filesBelow('tests', ['.test.mjs']).filter((file) =>
    /^tests\/(js|edge|browser)\//.test(file),
  );
}

function chosenTests() {
  const args = readCommand(usage).positionals;
  const missing = args.find((file) => !existsSync(resolve(root, file)));
  if (missing !== undefined) throw new SetupError(`There is no file ${missing}\n\n${usage}`);
  if (args.length === 0) return { files: allTests(), env: {} };
  const portable = args.filter(isPortable);
  const files = args.filter((file) => !isPortable(file));
  if (portable.length > 0 && files.length === 0) files.push('tests/js/portable.test.mjs');
  return { files, env: portable.length > 0 ? { STRATA_PORTABLE: basename(portable[0]) } : {} };
}

const failures = join(root, 'build', 'failed-tests');

// Runs test files, and returns the failed tests. A test that hangs fails after ten minutes, and the others go on.
async function runAtOnce(name, files, count, env) {
  if (files.length === 0) return [];
  const reporters = {
    spec: 'stdout',
    [join(root, 'scripts/setup/failed-tests.mjs')]: join(failures, name),
  };
  const options = [`--test-concurrency=${count}`, '--test-timeout=600000'];
  for (const [reporter, file] of Object.entries(reporters)) {
    options.push(`--test-reporter=${reporter}`, `--test-reporter-destination=${file}`);
  }
  try {
    await run(process.execPath, ['--test', ...options, ...files], { env, show: true });
    return [];
  } catch (error) {
    const lines = readFileSync(join(failures, name), 'utf8').split('\n').filter(Boolean);
    // Without one, the runner itself came to an end.
    if (lines.length === 0) throw error;
    return lines.map((line) => JSON.parse(line));
  }
}

// A browser or workerd may fail for reasons that are not the test's. Such a test passes if it passes alone, and the run
// names it: a list of them stands in docs/verification.md.
const mayBeFlaky = ({ file }) => /^tests\/(browser|edge)\//.test(file);
const maxFlaky = 2;

// Runs the files of failed tests again, one at a time. Returns the tests that failed again, and those that did not.
async function runAgain(failed, env) {
  const again = failed.length <= maxFlaky ? failed.filter(mayBeFlaky) : [];
  const files = [...new Set(again.map(({ file }) => file))];
  const stillFailed = [];
  for (const file of files) {
    console.log(`\nAgain, alone: ${file}`);
    stillFailed.push(...(await runAtOnce('again', [file], 1, env)));
  }
  const isFlaky = (test) =>
    again.includes(test) && !stillFailed.some(({ file }) => file === test.file);
  return {
    failed: [...failed.filter((test) => !isFlaky(test)), ...stillFailed.filter(isNewIn(failed))],
    flaky: failed.filter(isFlaky),
  };
}

const isNewIn = (tests) => (test) =>
  !tests.some(({ name, file }) => name === test.name && file === test.file);

// Browsers keep both processors busy; of the other tests, most wait.
async function runFiles(files, env) {
  rmSync(failures, { recursive: true, force: true });
  mkdirSync(failures, { recursive: true });
  const inBrowsers = files.filter((file) => file.includes('tests/browser/'));
  const others = files.filter((file) => !inBrowsers.includes(file));
  const first = [
    ...(await runAtOnce('browsers', inBrowsers, 2, env)),
    ...(await runAtOnce('others', others, 3, env)),
  ];
  const { failed, flaky } = await runAgain(first, env);
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
