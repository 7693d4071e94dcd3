// The action for GitHub and the hook for pre-commit, run as these do it, on a folder with a passing and a failing request.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { parse } from 'yaml';
import { root } from '../../scripts/setup/run.mjs';
import { consumer } from '../support/consumer.mjs';
import { isSarif } from '../support/sarif.mjs';

const folder = join(consumer, 'action');
const textOf = (file) => readFileSync(join(root, file), 'utf8');
const { inputs, outputs, runs } = parse(textOf('action.yml'));
const [hook] = parse(textOf('.pre-commit-hooks.yaml'));
const { version } = JSON.parse(textOf('package.json'));
const user = (text) => ({ contents: [{ role: 'user', parts: text === '' ? [] : [{ text }] }] });

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'requests'), { recursive: true });
  writeFileSync(join(folder, 'requests/good one.json'), JSON.stringify(user('Hello')));
  writeFileSync(join(folder, 'requests/bad, 100%.json'), JSON.stringify(user(''), null, 1));
});

/** Runs the steps of the action with inputs; returns the status, the log and the outputs. */
function runAction(given) {
  const values = Object.fromEntries(
    Object.entries(inputs).map(([name, { default: preset = '' }]) => [name, given[name] ?? preset]),
  );
  const output = join(folder, 'output');
  writeFileSync(output, '');
  for (const { shell, env, run } of runs.steps) {
    assert.equal(shell, 'bash');
    const filled = Object.entries(env).map(([name, text]) => [
      name,
      text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/, (_, input) => values[input]),
    ]);
    const { PATH, HOME } = process.env;
    const { status, stdout, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', run], {
      cwd: folder,
      env: {
        PATH,
        HOME,
        npm_config_offline: 'true',
        ...Object.fromEntries(filled),
        GITHUB_OUTPUT: output,
      },
      encoding: 'utf8',
    });
    return { status, log: stdout + stderr, output: readFileSync(output, 'utf8') };
  }
}

const model = 'gemini-3.8-flash';
const sarifOf = (file) => JSON.parse(readFileSync(join(folder, file), 'utf8'));

describe('the action', () => {
  test('runs the version of this package, and says where its SARIF is', () => {
    assert.equal(inputs.package.default, `prompt-strata@${version}`);
    assert.match(outputs.sarif.value, /steps\.lint\.outputs\.sarif/);
  });

  test('annotates a failing request, fails, and writes SARIF', () => {
    const { status, log, output } = runAction({ files: 'requests/*.json', model });
    assert.equal(status, 1, log);
    const place = 'file=requests/bad%2C 100%25.json,line=3,col=';
    assert.ok(log.includes(`::error ${place}`), log);
    assert.match(log, /title=parts\.empty::/);
    assert.match(log, /1 error, 0 warnings in 2 requests/);
    assert.equal(output, 'sarif=prompt-strata.sarif\n');
    const sarif = sarifOf('prompt-strata.sarif');
    assert.ok(isSarif(sarif), JSON.stringify(isSarif.errors));
    assert.deepEqual(
      sarif.runs[0].results.map(({ ruleId }) => ruleId),
      ['parts.empty'],
    );
  });

  test('passes without errors, and when it only informs', () => {
    assert.equal(runAction({ files: 'requests/good*.json', model }).status, 0);
    const informed = runAction({
      files: 'requests/*.json',
      model,
      'fail-on': 'never',
      sarif: 'a b.sarif',
    });
    assert.equal(informed.status, 0, informed.log);
    assert.match(informed.log, /::error /);
    assert.equal(sarifOf('a b.sarif').runs[0].results.length, 1);
  });

  test('names a pattern without a file, and runs no command of an input', () => {
    const { status, log } = runAction({
      files: 'none/*.json\n$(touch made)',
      model: '$(touch made)',
    });
    assert.notEqual(status, 0);
    assert.match(log, /Cannot read none\/\*\.json/);
    assert.throws(() => readFileSync(join(folder, 'made')));
  });

  test('reports what breaks soon', () => {
    const old = JSON.stringify({ model: 'models/gemini-2.0-flash', ...user('Hello') });
    writeFileSync(join(folder, 'requests/old.json'), old);
    const { status, log } = runAction({ files: 'requests/old.json', 'breaks-within': '30' });
    // It was shut down long ago: that is no news.
    assert.equal(status, 0, log);
    assert.match(log, /0 errors, 0 warnings in 1 request/);
  });
});

test('the hook fails for a failing request, and passes for others', () => {
  assert.ok(hook.entry.includes(`prompt-strata@${version} `));
  const run = (...files) => {
    const { PATH, HOME } = process.env;
    const [command, ...args] = hook.entry.split(' ');
    const env = { PATH, HOME, npm_config_offline: 'true' };
    return spawnSync(command, [...args, '--model', model, ...files], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
  };
  const failing = run('requests/good one.json', 'requests/bad, 100%.json');
  assert.equal(failing.status, 1, failing.stderr);
  assert.match(failing.stdout, /parts\.empty/);
  assert.equal(run('requests/good one.json').status, 0);
  const isChecked = new RegExp(hook.files);
  const names = [
    'requests/request-1.json',
    'gemini.jsonl',
    'package.json',
    'recorded/requests.har',
  ];
  assert.deepEqual(
    names.map((name) => isChecked.test(name)),
    [true, true, false, true],
  );
});
