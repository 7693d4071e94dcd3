// Tests that a stream which nobody reads does not keep a program alive.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { consumer } from '../support/consumer.mjs';

const program = `
  import { Conversation, GeminiClient, load } from 'prompt-strata';
  const chunk = { candidates: [{ content: { role: 'model', parts: [{ text: 'more' }] } }] };
  const text = ('data: ' + JSON.stringify(chunk) + '\\n\\n').repeat(100);
  const client = new GeminiClient({ fetch: async () => new Response(text) });
  const chat = new Conversation(await load(), client, { model: 'gemini-3.8-flash' });
  chat.stream('Hello', { stallTimeoutMs: 1e9 });
  process.on('exit', () => console.log('ended with ' + chat.history.length + ' turn'));`;

test('a program ends although its stream is full and nobody reads it', () => {
  const flags = ['--input-type=module', '-e', program];
  // Without an end of its own, the program is stopped.
  const { stdout, stderr } = spawnSync(process.execPath, flags, {
    cwd: consumer,
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.equal(stdout, 'ended with 1 turn\n', stderr);
});
