// The part "browsers": all tests in Firefox and WebKit, of which `npm test` runs those that engines could differ in, and
// the site of the documentation.
import { prepare as preparePackage } from '../../scripts/setup/prepare.mjs';
import { root, run } from '../../scripts/setup/run.mjs';
import { filesBelow, hashFiles } from '../../scripts/setup/stamp.mjs';
import { page } from './overview.mjs';

const titles = {
  firefox: 'the portable tests in Firefox',
  webkit: 'the portable tests in WebKit',
  'playground-chat': 'the view Chat in three browsers',
  'playground-lint': 'the view Check a request in three browsers',
  'playground-prompt': 'the view Prompt in three browsers',
  'playground-tools': 'tools of the playground in three browsers',
  site: 'the site of the documentation, built and opened in Chromium',
};

async function prepare() {
  await preparePackage('package', 'browsers');
  const inputs = ['dist', 'docs', 'web', 'tests/browser', 'tests/js/portable'];
  // The block of this part is written into a page of docs.
  const files = inputs.flatMap((folder) => filesBelow(folder)).filter((file) => file !== page);
  return { key: hashFiles(files).slice(0, 12) };
}

async function runFile(name) {
  const command = [`${root}/scripts/test-js.mjs`, `tests/browser/${name}.test.mjs`];
  const output = await run(process.execPath, command, { env: { STRATA_BROWSERS: 'all' } });
  // The numbers of the whole run come last.
  const [, passed] = [...output.matchAll(/^ℹ pass (\d+)$/gm)].at(-1);
  return [titles[name], passed];
}

/** @type {import('./run-part.mjs').Part} */
export default {
  title: 'Browsers',
  about:
    'Each row: a file of tests with everything in Firefox and WebKit too. In these, `npm test` leaves out the portable ' +
    'tests that need nothing of a runtime, and of the playground what the views do alike: it keeps each view once, and pointers, ' +
    'keys, clipboard, dropped files, storage and streams. It leaves out the site as well, whose pages take minutes to build.',
  head: ['Tests', 'Passed'],
  prepare,
  cases: Object.keys(titles).map((name) => ({ name, run: () => runFile(name) })),
};
