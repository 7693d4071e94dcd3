// Tests what `npm run worker` prints: its keys, and commands that work when they are pasted into a shell.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { promisify } from 'node:util';
import { bindingsFor, instructions, serveWorker } from '../../scripts/setup/serve-worker.mjs';
import { bundleWorker } from '../../scripts/setup/worker.mjs';

let threads;
before(async () => {
  threads = await mkdtemp(join(tmpdir(), 'strata-served-'));
});
after(() => rm(threads, { recursive: true }));

test('keys are random unless they are set, and fit a header', () => {
  const [one, other] = [bindingsFor({}), bindingsFor({})];
  for (const name of ['CALLER_KEY', 'GATEWAY_ADMIN_KEY']) {
    assert.match(one[name], /^[\w-]{32}$/);
    assert.notEqual(one[name], other[name]);
    assert.throws(() => bindingsFor({ [name]: 'two words' }), new RegExp(name));
  }
  assert.notEqual(one.CALLER_KEY, one.GATEWAY_ADMIN_KEY);
  assert.deepEqual(bindingsFor({ GEMINI_API_KEY: 'g', CALLER_KEY: 'c', GATEWAY_ADMIN_KEY: 'a' }), {
    GEMINI_API_KEY: 'g',
    CALLER_KEY: 'c',
    GATEWAY_ADMIN_KEY: 'a',
  });
});

test('pages of ALLOWED_ORIGINS in the environment may call', () => {
  const ALLOWED_ORIGINS = 'http://localhost:5173,https://app.example';
  assert.equal(bindingsFor({ ALLOWED_ORIGINS }).ALLOWED_ORIGINS, ALLOWED_ORIGINS);
  assert.ok(!('ALLOWED_ORIGINS' in bindingsFor({ ALLOWED_ORIGINS: '' })));
});

/** Runs the printed commands in one shell and returns what they print. */
async function paste(text) {
  const commands = text.split('\n').filter((line) => line.startsWith('  '));
  assert.equal(commands.length, 6, text);
  const { stdout } = await promisify(execFile)('bash', ['-ec', commands.join('\n')]);
  return stdout;
}

for (const env of [{}, { CALLER_KEY: `it's-"$a"` }]) {
  test(`the printed commands send a message and read the thread (${JSON.stringify(env)})`, async () => {
    await bundleWorker();
    const bindings = bindingsFor(env);
    const worker = await serveWorker(bindings, { port: 0, threads });
    try {
      const { origin } = await worker.ready;
      const text = instructions(origin, bindings);
      assert.ok(text.split('\n').includes(`key: ${bindings.CALLER_KEY}`), text);
      const printed = await paste(text);
      // Once as the answer, once when they are read again.
      assert.equal(printed.match(/"type":"sent"/g)?.length, 2, printed);
      assert.equal(printed.match(/"type":"stored","turns":4/g)?.length, 2, printed);
      const turns = printed.split('\n').filter((line) => line.startsWith('{"strata":1'));
      assert.equal(turns.length, 4, printed);
      const admin = { headers: { authorization: `Bearer ${bindings.GATEWAY_ADMIN_KEY}` } };
      assert.equal((await fetch(`${origin}/metrics`, admin)).status, 200);
      assert.equal((await fetch(`${origin}/dashboard`)).status, 200);
    } finally {
      await worker.dispose();
    }
  });
}
