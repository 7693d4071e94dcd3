// scripts/setup/failed-tests.mjs: the failed tests of a run, at its end, and which of them run again.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { failedTestsOf, failureText, runAgain } from '../../scripts/setup/failed-tests.mjs';
import { root } from '../../scripts/setup/run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'failed-tests-'));
after(() => rmSync(folder, { recursive: true }));

function reported(source) {
  const [file, report] = ['some.test.mjs', 'report'].map((name) => join(folder, name));
  writeFileSync(file, `import { before, describe, test } from 'node:test';\n${source}`);
  const reporter = join(root, 'scripts/setup/failed-tests.mjs');
  const options = [`--test-reporter=${reporter}`, `--test-reporter-destination=${report}`];
  // NODE_TEST_CONTEXT would make the inner run a part of this one.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  spawnSync(process.execPath, ['--test', ...options, file], { env });
  const lines = readFileSync(report, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => failureText(JSON.parse(line))).join('');
}

test('names a failed test with its place and its error, but not its suite', () => {
  const text = reported(`describe('suite', () => {
    test('passes', () => {});
    test('fails', () => { throw new Error('the reason'); });
  });`);
  assert.match(text, /^ {2}fails \(.*some\.test\.mjs:4\)\n {6}the reason\n$/);
});

test('names a suite whose set-up failed', () => {
  const text = reported(`describe('suite', () => {
    before(() => { throw new Error('no browser'); });
    test('needs it', () => {});
  });`);
  assert.match(text, /^ {2}suite \(.*\n {6}no browser$/m);
});

test('is empty if all pass', () => {
  assert.equal(reported(`test('passes', () => {});`), '');
});

describe('a failed test', () => {
  const failedIn = (ran, name = 'shows a page', message = 'waited in vain') => ({
    name,
    file: ran,
    line: 7,
    message,
    ran,
  });
  const browser = 'tests/browser/page.test.mjs';
  const edge = 'tests/edge/worker.test.mjs';
  const other = 'tests/js/cli.test.mjs';

  /** Returns what comes of failed tests, and the files that ran again. `outcomes` is what fails in them then. */
  async function outcomeOf(failed, outcomes = {}) {
    const ran = [];
    const result = await runAgain(failed, async (file) => {
      ran.push(file);
      return outcomes[file] ?? [];
    });
    return { ...result, ran };
  }

  test('in a browser or workerd is flaky if its file passes alone, and fails no run', async () => {
    const failed = [failedIn(browser), failedIn(edge)];
    assert.deepEqual(await outcomeOf(failed), { failed: [], flaky: failed, ran: [browser, edge] });
  });

  test('runs again in the file that ran, not in a module where its set-up stands', async () => {
    const line = JSON.stringify({ ...failedIn('tests/browser/drivers.mjs'), ran: undefined });
    const failed = failedTestsOf(browser, [line], '');
    assert.match(
      failed.map(failureText).join(''),
      /^ {2}shows a page \(tests\/browser\/drivers\.mjs:7\)/,
    );
    assert.deepEqual((await outcomeOf(failed)).ran, [browser]);
  });

  test('runs once for two in one file', async () => {
    const failed = [failedIn(browser), failedIn(browser, 'sends a message')];
    assert.deepEqual(await outcomeOf(failed), { failed: [], flaky: failed, ran: [browser] });
  });

  test('is not run again if there are three', async () => {
    const failed = ['one', 'two', 'three'].map((name) => failedIn(browser, name));
    assert.deepEqual(await outcomeOf(failed), { failed, flaky: [], ran: [] });
  });

  test('is not run again outside of browsers and workerd', async () => {
    const failed = [failedIn(other), failedIn(browser)];
    const expected = { failed: [failed[0]], flaky: [failed[1]], ran: [browser] };
    assert.deepEqual(await outcomeOf(failed), expected);
  });

  test('stays failed with its first message if its file fails again, whatever fails there', async () => {
    const first = failedIn(browser);
    const same = { [browser]: [failedIn(browser, first.name, 'another message')] };
    assert.deepEqual(await outcomeOf([first], same), {
      failed: [first],
      flaky: [],
      ran: [browser],
    });
    const next = failedIn(browser, 'sends a message');
    const outcome = await outcomeOf([first], { [browser]: [next] });
    assert.deepEqual(outcome, { failed: [first, next], flaky: [], ran: [browser] });
  });

  test('is the file itself, with the end of its output, if it ended outside its tests', () => {
    const [{ name, message, ...place }] = failedTestsOf(
      other,
      [],
      'output\nSyntaxError: no such name',
    );
    assert.deepEqual(place, { file: other, line: 1, ran: other });
    assert.equal(name, other);
    assert.match(message, /SyntaxError: no such name$/);
  });
});
