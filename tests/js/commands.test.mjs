// The commands of package.json as a shell meets them: help, wrong options, wrong ports, a reader that leaves.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import { root } from '../../scripts/setup/run.mjs';

function shell(line, env = {}) {
  const run = { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } };
  const { status, stdout, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', line], run);
  return { status, stdout, stderr };
}

const node = `'${process.execPath}'`;
const scriptOf = (name) => `${node} '${join(root, 'scripts', `${name}.mjs`)}'`;

for (const name of ['start', 'demo', 'worker', 'fuzz-jinja', 'sim-cache']) {
  test(`${name}: --help is answered, an unknown option is an error with the usage`, () => {
    const help = shell(`${scriptOf(name)} --help`);
    assert.equal(help.status, 0, help.stderr);
    assert.match(help.stdout, /^Usage: .*npm (start|run)/);
    const unknown = shell(`${scriptOf(name)} --nope`);
    assert.equal(unknown.status, 1);
    assert.match(unknown.stderr, /Unknown option '--nope'\n\nUsage: /);
  });
}

for (const port of ['abc', '99999']) {
  test(`the port ${port} is refused in words`, () => {
    for (const refused of [
      shell(scriptOf('worker'), { PORT: port }),
      shell(`${scriptOf('start')} --port ${port}`),
    ]) {
      assert.equal(refused.status, 1);
      assert.match(refused.stderr, new RegExp(`^\n${port} is no port\n\nUsage: .*\n$`));
    }
  });
}

for (const [option, value, wanted] of [
  ['seeds', 'abc', 'a whole number from 1 to 999999999'],
  ['count', '0', 'a whole number from 1 to 999999999'],
  ['first', '-1', 'a whole number from 0 to 999999999'],
  ['only', '1.5', 'a whole number from 0 to 999999999'],
]) {
  test(`fuzz:jinja refuses --${option}=${value} in words`, () => {
    const { status, stderr } = shell(`${scriptOf('fuzz-jinja')} --${option}=${value}`);
    assert.equal(status, 1);
    assert.ok(
      stderr.startsWith(`\n--${option} must be ${wanted}, not "${value}"\n\nUsage: `),
      stderr,
    );
  });
}

test('fuzz:jinja takes --only for one seed', () => {
  const { status, stderr } = shell(`${scriptOf('fuzz-jinja')} --only 3 --seeds 2`);
  assert.equal(status, 1);
  assert.match(stderr, /^\n--only takes one seed: leave --seeds out\n\nUsage: /);
});

test('the demo ends quietly where its reader leaves', () => {
  const { status, stderr } = shell(`${scriptOf('demo')} | head -3`);
  assert.equal(stderr, '');
  assert.equal(status, 0);
});

test('the demo fits a narrow terminal', () => {
  const line = `script -qec "stty cols 40; NO_COLOR=1 ${scriptOf('demo')}" /dev/null`;
  const { status, stdout } = shell(line);
  assert.equal(status, 0);
  const [, shown] = stdout.split('The emulator answers');
  const lines = shown.split(/\r?\n/).slice(1);
  // A line that is a single word can't be broken.
  const tooLong = lines.filter((text) => text.length > 40 && text.trim().includes(' '));
  assert.deepEqual(tooLong, []);
});
