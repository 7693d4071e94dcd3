// scripts/setup/failed-tests.mjs: the failed tests of a run, at its end.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { failureText } from '../../scripts/setup/failed-tests.mjs';
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
