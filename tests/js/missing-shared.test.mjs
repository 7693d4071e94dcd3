// Without the folder of recordings, tests and simulations that need it are skipped with a reason, and nothing fails.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { skipReasons } from '../../scripts/setup/ctest-output.mjs';
import { root } from '../../scripts/setup/run.mjs';

const empty = mkdtempSync(join(tmpdir(), 'no-shared-'));
after(() => rmSync(empty, { recursive: true }));
const sentence = `no recorded answers: ${join(empty, 'fixtures')} is missing`;

/** Runs Node with an empty folder instead of the recordings. */
function node(...args) {
  const env = { ...process.env, STRATA_SHARED: empty };
  // Otherwise the inner test runner would report to the outer one.
  delete env.NODE_TEST_CONTEXT;
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env });
}

const count = (output, name) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(output)[1]);

for (const file of ['recorded', 'recorded-import', 'emulator']) {
  test(`${file}.test.mjs names the missing recordings for each skipped test`, () => {
    const { status, stdout } = node('--test', '--test-reporter=tap', `tests/js/${file}.test.mjs`);
    assert.equal(status, 0, stdout);
    assert.ok(count(stdout, 'skipped') > 0, stdout);
    const reasons = stdout.match(/# SKIP .*/g);
    assert.equal(reasons.length, count(stdout, 'skipped'));
    for (const reason of reasons) assert.ok(reason.startsWith(`# SKIP ${sentence}`), reason);
  });
}

test('sim:cache reports the skipped trace first and prints the other traces', () => {
  const { status, stdout, stderr } = node('tests/sim/main.mjs');
  assert.equal(status, 0, stderr);
  assert.ok(stdout.startsWith(`Skipped: the trace 'recorded'; ${sentence}`), stdout.slice(0, 200));
  assert.match(stdout, /^\| all /m);
  assert.doesNotMatch(stdout, /^\| recorded /m);
});

test('prints each skip reason of the C++ tests once, with the number of tests', () => {
  const output = [
    '7: [ RUN      ] RecordedCall.ItsPartIsVerbatim',
    '7: tests/cpp/stream/recorded_answers_test.cpp:83: Skipped',
    '7: no recorded answers: /x/fixtures is missing',
    '7: ',
    '7: [  SKIPPED ] RecordedCall.ItsPartIsVerbatim (0 ms)',
    '7: tests/cpp/stream/recorded_answers_test.cpp:140: Skipped',
    '7: no recorded answers: /x/fixtures is missing',
    '8: tests/cpp/jinja/a_test.cpp:1: Skipped',
    '8: another reason',
  ].join('\n');
  assert.deepEqual(skipReasons(output), [
    '2 tests, no recorded answers: /x/fixtures is missing',
    '1 test, another reason',
  ]);
});
