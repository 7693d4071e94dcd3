// Runs the commands of package.json in a shell: help, invalid options, invalid ports.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root } from '../../scripts/setup/run.mjs';

function shell(line, env = {}) {
  const run = { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } };
  const { status, stdout, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', line], run);
  return { status, stdout, stderr };
}

const node = `'${process.execPath}'`;
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const scriptOf = (name) => scripts[name].replace(/^node /, `${node} `);

for (const name of Object.keys(scripts)) {
  const command = scriptOf(name);

  test(`${name}: prints the usage for --help and for an unknown option`, () => {
    const help = shell(`${command} --help`);
    assert.equal(help.status, 0, help.stderr);
    assert.match(help.stdout, new RegExp(`^Usage: .*npm (run )?${name}\\b`));
    const unknown = shell(`${command} --nope`);
    assert.equal(unknown.status, 1);
    assert.equal(unknown.stdout, '');
    assert.match(unknown.stderr, /^\nUnknown option '--nope'\n\nUsage: /);
  });
}

for (const [name, argument, message] of [
  ['bench', 'nope', 'Unknown benchmark nope'],
  ['models', 'yesterday', 'yesterday is not a date'],
  ['models', '2026-13-01', '2026-13-01 is not a date'],
  ['test:cpp', 'nope', 'nope is not one build'],
  ['test:js', 'tests/js/nope.test.mjs', 'There is no file tests/js/nope.test.mjs'],
  ['verify', 'nope', 'nope is not a part'],
]) {
  test(`${name}: rejects the argument ${argument} with a message`, () => {
    const { status, stdout, stderr } = shell(`${scriptOf(name)} ${argument}`);
    assert.equal(status, 1);
    assert.equal(stdout, '');
    assert.ok(stderr.startsWith(`\n${message}\n\nUsage: npm run `), stderr);
  });
}

for (const port of ['abc', '99999']) {
  test(`rejects the port ${port} with a message`, () => {
    for (const rejected of [
      shell(scriptOf('worker'), { PORT: port }),
      shell(`${scriptOf('start')} --port ${port}`),
    ]) {
      assert.equal(rejected.status, 1);
      assert.match(rejected.stderr, new RegExp(`^\n${port} is not a valid port\n\nUsage: .*\n$`));
    }
  });
}

for (const [option, value, wanted] of [
  ['seeds', 'abc', 'an integer from 1 to 999999999'],
  ['count', '0', 'an integer from 1 to 999999999'],
  ['first', '-1', 'an integer from 0 to 999999999'],
  ['only', '1.5', 'an integer from 0 to 999999999'],
]) {
  test(`fuzz:jinja rejects --${option}=${value} with a message`, () => {
    const { status, stderr } = shell(`${scriptOf('fuzz:jinja')} --${option}=${value}`);
    assert.equal(status, 1);
    assert.ok(
      stderr.startsWith(`\n--${option} must be ${wanted}, not "${value}"\n\nUsage: `),
      stderr,
    );
  });
}

test('fuzz:jinja rejects --only with more than one seed', () => {
  const { status, stderr } = shell(`${scriptOf('fuzz:jinja')} --only 3 --seeds 2`);
  assert.equal(status, 1);
  assert.match(stderr, /^\n--only requires a single seed\. Omit --seeds\.\n\nUsage: /);
});
