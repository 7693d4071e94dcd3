// The command `serve`: it prints its address, answers clients, logs without texts and keys, and ends on Ctrl+C.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, describe } from 'node:test';
import { consumer } from '../support/consumer.mjs';
import { startCommand } from '../support/running-emulator.mjs';
import { unsignedHistory } from './unsigned-history.mjs';

const command = join(consumer, 'node_modules', '.bin', 'prompt-strata');
const folder = mkdtempSync(join(tmpdir(), 'strata-serve-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const model = 'gemini-3.8-flash';
const callerKey = 'caller-key_0123456789';
const keyHash = createHash('sha256').update(callerKey).digest('hex');
const callers = JSON.stringify([{ id: 'website', keyHash }]);
const file = (name, text) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const env = {
  GEMINI_KEY: 'AIzaSyServe-key_0123456789abcdefghijklm',
  SECRET: 'a secret of the deployment',
  ADMIN: 'admin-key_0123456789',
  CALLERS: callers,
};

const start = (...options) => startCommand(['serve', '--port', '0', ...options], env);
const contents = [{ role: 'user', parts: [{ text: 'What is the weather in Oslo?' }] }];
const functionDeclarations = [
  {
    ...{ name: 'get_weather', description: 'The weather in a city' },
    parameters: { type: 'OBJECT', properties: { city: { type: 'STRING' } }, required: ['city'] },
  },
];

/** Asks for an answer with a tool and returns the response. */
const ask = ({ url }, headers, more = []) =>
  fetch(`${url}/v1beta/models/${model}:generateContent`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ contents: [...contents, ...more], tools: [{ functionDeclarations }] }),
  });

describe('serve', () => {
  test('prints its address, how to point clients at it, and a line for each request', async () => {
    const gateway = await start('--emulator');
    assert.match(gateway.url, /^http:\/\/127\.0\.0\.1:\d+$/);
    const key = { 'x-goog-api-key': 'AIzaSyAny-key_0123456789abcdefghijklmno' };
    const first = await ask(gateway, key);
    assert.equal(first.status, 200);
    const second = await ask(gateway, key, unsignedHistory(await first.json()));
    assert.equal(second.status, 200);
    assert.equal(second.headers.get('x-strata-restored'), '1');
    await second.text();
    assert.equal((await ask(gateway, {})).status, 401);
    assert.equal((await fetch(`${gateway.url}/health`)).status, 200);
    assert.equal((await fetch(`${gateway.url}/metrics`)).status, 404);
    assert.equal(await gateway.stop(), 0);
    const output = gateway.output();
    assert.ok(output.includes(`GOOGLE_GEMINI_BASE_URL=${gateway.url}`), output);
    assert.match(output, /The emulator answers, not Gemini\. Send any key\./);
    assert.doesNotMatch(output, /AIza|Oslo|weather/);
    const lines = output.split('\n').filter((line) => line.startsWith('{'));
    const logged = lines
      .map((line) => JSON.parse(line))
      .filter(({ route }) => route === 'generateContent');
    assert.deepEqual(
      logged.map(({ status, restored }) => [status, restored]),
      [
        [200, 0],
        [200, 1],
        [401, undefined],
      ],
    );
  });

  test('lets listed callers in, from a file or the environment', async () => {
    for (const list of [
      ['--callers', file('callers.json', callers)],
      ['--callers-env', 'CALLERS'],
    ]) {
      const greeting = await start('--emulator', ...list);
      await greeting.stop();
      assert.match(greeting.output(), /Listed callers send their key of this gateway\./);
      const gateway = await start('--emulator', '--quiet', '--admin-key-env', 'ADMIN', ...list);
      assert.equal((await ask(gateway, { authorization: `Bearer ${callerKey}` })).status, 200);
      assert.equal((await ask(gateway, { authorization: 'Bearer another' })).status, 401);
      const headers = { authorization: `Bearer ${env.ADMIN}` };
      const metrics = await (await fetch(`${gateway.url}/metrics`, { headers })).text();
      assert.match(metrics, /requests_total\{route="generateContent",status="200"\} 1/);
      await gateway.stop();
      assert.equal(gateway.output(), `${gateway.url}\n`);
    }
  });

  test('serves the dashboard beside /metrics, and only with an admin key', async () => {
    const closed = await start('--emulator');
    assert.notEqual((await fetch(`${closed.url}/dashboard`)).status, 200);
    await closed.stop();
    assert.doesNotMatch(closed.output(), /dashboard/);
    const gateway = await start('--emulator', '--admin-key-env', 'ADMIN');
    const page = await fetch(`${gateway.url}/dashboard`);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(page.headers.get('content-security-policy'), /script-src 'self'/);
    const html = await page.text();
    const files = [...html.matchAll(/(?:src|href)="\.(\/dashboard\/[^"]+)"/g)];
    assert.equal(files.length, 3);
    for (const [, path] of files) assert.equal((await fetch(gateway.url + path)).status, 200, path);
    assert.equal((await fetch(`${gateway.url}/metrics`)).status, 401);
    await gateway.stop();
    assert.ok(gateway.output().includes(`ADMIN: ${gateway.url}/dashboard`), gateway.output());
    assert.ok(!(html + gateway.output()).includes(env.ADMIN));
  });

  test('keeps signatures in a file across a restart, unreadable without the secret', async () => {
    const memory = join(folder, 'signatures.log');
    const options = ['--emulator', '--memory', memory, '--secret-env', 'SECRET'];
    const key = { 'x-goog-api-key': 'any-key' };
    const before = await start(...options);
    const answer = await (await ask(before, key)).json();
    await before.stop();
    const stored = readFileSync(memory, 'utf8');
    const [{ thoughtSignature }] = answer.candidates[0].content.parts;
    assert.ok(thoughtSignature.length > 20 && !stored.includes(thoughtSignature));
    assert.doesNotMatch(stored, /any-key|Oslo|get_weather/);
    assert.equal(statSync(memory).mode & 0o077, 0);
    const later = await start(...options);
    const response = await ask(later, key, unsignedHistory(answer));
    assert.equal(response.headers.get('x-strata-restored'), '1');
    await later.stop();
  });

  test('applies the policy, the placeholder and the limits', async () => {
    const unsigned = unsignedHistory({
      candidates: [{ content: { parts: [{ functionCall: { name: 'get_weather', args: {} } }] } }],
    });
    const key = { 'x-goog-api-key': 'any-key' };
    const rejecting = await start('--emulator', '--policy', 'reject', '--requests-per-minute', '1');
    assert.equal((await ask(rejecting, key, unsigned)).status, 400);
    assert.equal((await ask(rejecting, key)).status, 429);
    await rejecting.stop();
    const replacing = await start('--emulator', '--placeholder');
    const response = await ask(replacing, key, unsigned);
    assert.deepEqual([response.status, response.headers.get('x-strata-placeholder')], [200, '1']);
    await replacing.stop();
  });

  test('lets pages of --origins in only', async () => {
    const gateway = await start(
      '--emulator',
      '--origins',
      'https://app.example, https://b.example',
    );
    const from = (origin) => ask(gateway, { 'x-goog-api-key': 'any-key', origin });
    const allowed = await from('https://b.example');
    assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://b.example');
    assert.equal((await from('https://evil.example')).status, 403);
    await gateway.stop();
  });
});

/** Runs the command with invalid options; returns its message. */
function failure(...options) {
  const { PATH } = process.env;
  const args = ['serve', '--port', '0', ...options];
  const result = spawnSync(command, args, {
    env: { PATH, ...env },
    encoding: 'utf8',
    timeout: 20_000,
  });
  assert.deepEqual([result.status, result.stdout], [2, ''], result.stderr);
  for (const secret of Object.values(env))
    assert.ok(!result.stderr.includes(secret), result.stderr);
  assert.match(result.stderr, /^prompt-strata: [^\n]+\n$/);
  return result.stderr;
}

test('refuses options with which nobody could call, or everyone could, with status 2', () => {
  const list = file('list.json', callers);
  const key = ['--key-env', 'GEMINI_KEY'];
  assert.match(failure(...key), /--key-env needs --callers FILE, or --anyone/);
  assert.match(failure('--callers', list), /A list of callers needs --key-env/);
  assert.match(failure(...key, '--callers', list, '--anyone'), /--anyone or a list/);
  assert.match(failure(...key, '--callers', list, '--callers-env', 'CALLERS'), /not both/);
  assert.match(failure('--emulator', ...key, '--anyone'), /--emulator takes no --key-env/);
  assert.match(failure('--memory', join(folder, 'm')), /--memory needs --secret-env/);
  assert.match(failure('--key-env', 'UNSET', '--anyone'), /UNSET is not set/);
  assert.match(failure('--secret-env', 'AIza-key', '--emulator'), /--secret-env takes the name/);
  assert.match(failure(...key, '--callers', join(folder, 'none.json')), /Cannot read/);
  assert.match(failure(...key, '--callers', file('bad.json', 'x')), /must be JSON/);
  assert.match(failure(...key, '--callers', file('object.json', '{}')), /must be JSON/);
  const wrong = file('wrong.json', '[{"id":"a","keyHash":"my-key"}]');
  assert.match(failure(...key, '--callers', wrong), /\/callers\/0\/keyHash must be the SHA-256/);
  const shared = JSON.stringify(['a', 'b'].map((id) => ({ id, keyHash })));
  assert.match(
    failure(...key, '--callers', file('shared.json', shared)),
    /\/callers\/1\/keyHash must be that of one caller; a has it/,
  );
  const secret = ['--emulator', '--secret-env', 'SECRET'];
  assert.match(failure(...secret, '--memory', folder), /Cannot read .+: illegal operation/);
  assert.match(failure(...secret, '--memory', list), /list\.json is not a log of signatures/);
  assert.equal(readFileSync(list, 'utf8'), callers);
  for (const origin of ['*', 'app.example', 'https://app.example/'])
    assert.match(failure('--emulator', '--origins', origin), /\/origins\/0 must be an origin/);
  assert.match(failure('--emulator', '--policy', 'repare'), /Did you mean repair\?/);
  assert.match(failure('--emulator', '--model', 'x'), /serve has no option --model/);
  assert.match(
    failure('--emulator', '--concurrency', '-1'),
    /Unknown|ambiguous|must be an integer/,
  );
  assert.match(failure('--emulator', 'file'), /serve takes options only/);
  assert.match(failure('--emulator', '--host', '203.0.113.1'), /not an address of this computer/);
});
