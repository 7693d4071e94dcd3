// npm run test:js -- [files]: runs the JavaScript tests on the built package. A file of tests/js/portable runs in
// Node only. Without files, all tests run: in Node, workerd, Deno, Bun and the browsers.
import { basename } from 'node:path';
import { prepare } from './setup/prepare.mjs';
import { main, run, step } from './setup/run.mjs';
import { filesBelow } from './setup/stamp.mjs';

const isPortable = (file) => /(^|\/)portable\/[^/]+\.mjs$/.test(file);

function allTests() {
  return filesBelow('tests', ['.test.mjs']).filter((file) =>
    /^tests\/(js|edge|browser)\//.test(file),
  );
}

function chosenTests(args) {
  if (args.length === 0) return { files: allTests(), env: {} };
  const portable = args.filter(isPortable);
  const files = args.filter((file) => !isPortable(file));
  if (portable.length > 0 && files.length === 0) files.push('tests/js/portable.test.mjs');
  return { files, env: portable.length > 0 ? { STRATA_PORTABLE: basename(portable[0]) } : {} };
}

// Runs test files. A test that hangs fails after ten minutes, and the others go on.
async function runAtOnce(files, count) {
  if (files.length === 0) return;
  const options = ['--test-reporter=spec', `--test-concurrency=${count}`, '--test-timeout=600000'];
  await run(process.execPath, ['--test', ...options, ...files], { env, show: true });
}

// Browsers keep both processors busy; of the other tests, most wait. All run even if one fails.
async function runFiles(files) {
  const inBrowsers = files.filter((file) => file.includes('tests/browser/'));
  const others = files.filter((file) => !inBrowsers.includes(file));
  const first = await runAtOnce(inBrowsers, 2).catch((error) => error);
  await runAtOnce(others, 3);
  if (first) throw first;
}

const { files, env } = chosenTests(process.argv.slice(2));
const needsBrowsers = files.some((file) => file.includes('tests/browser/'));
await prepare('package', ...(needsBrowsers ? ['browsers'] : []));
await main(async () => {
  Object.assign(process.env, env);
  const { prepareConsumer } = await import('../tests/js/consumer.mjs');
  await step('install the packed package', prepareConsumer);
  if (needsBrowsers) {
    // Two test files open the page concurrently, so it is built before they start.
    const { buildPlayground } = await import('./setup/playground.mjs');
    await step('bundle the playground', buildPlayground);
  }
  await runFiles(files);
});
