// Tests what Node prints of an error that nobody catches: a few lines, with the caller's frame and the class's name.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { consumer } from '../support/consumer.mjs';

const folder = join(consumer, 'uncaught');
mkdirSync(folder, { recursive: true });

/** Returns the lines that Node prints for a program whose function `caller` throws. */
function linesOf(name, body, { kind = 'mjs', flags = [] } = {}) {
  const start =
    kind === 'mjs'
      ? "import * as strata from 'prompt-strata';\nimport * as templates from 'prompt-strata/templates';\nawait caller();"
      : "const strata = require('prompt-strata');\nconst templates = require('prompt-strata/templates');\ncaller();";
  const file = join(folder, `${name}.${kind}`);
  writeFileSync(file, `${start}\nasync function caller() {\n${body}\n}\n`);
  const { status, stderr } = spawnSync(process.execPath, [...flags, file], { encoding: 'utf8' });
  assert.equal(status, 1, stderr);
  return stderr.trimEnd().split('\n');
}

const programs = {
  TemplateError: "(await templates.loadTemplates()).template('Hello {{ name');",
  HistoryError: `
    const thread = (await strata.load()).thread({ model: 'gemini-3.8-flash' });
    thread.append({ role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] });`,
  StrataError: "await strata.load({ wasm: new URL('file:///missing/talk.wasm') });",
};

for (const [name, body] of Object.entries(programs)) {
  for (const options of [
    { kind: 'mjs' },
    { kind: 'cjs' },
    { kind: 'cjs', flags: ['--no-experimental-require-module'] },
    { kind: 'mjs', flags: ['--enable-source-maps'] },
  ]) {
    test(`${name} prints fewer than 15 lines: ${options.kind} ${options.flags ?? ''}`, () => {
      const lines = linesOf(name, body, options);
      assert.ok(lines.length < 15, lines.join('\n'));
      assert.ok(lines.every((line) => line.length < 400));
      const message = lines.findIndex((line) => line.startsWith(`${name}: `));
      const frames = lines.filter((line) => /^ {4}at /.test(line));
      assert.ok(message >= 0, lines.join('\n'));
      // The first frame is the function of the package that was called, the second is the caller.
      assert.match(frames[0], /prompt-strata/);
      assert.match(frames[1], new RegExp(`caller .*${name}\\.${options.kind}`));
    });
  }
}

const waits = {
  send: "for await (const event of chat.send('Hello')) void event;",
  stream: "for await (const event of chat.stream('Hello')) void event;",
  ask: "await chat.ask('Hello');",
};

for (const [method, wait] of Object.entries(waits)) {
  test(`the caller is shown when the error is thrown while it waits: ${method}`, () => {
    const body = `
    const answer = '{"error":{"code":404,"status":"NOT_FOUND","message":"No such model"}}';
    const fetch = async () => new Response(answer, { status: 404 });
    const client = new strata.GeminiClient({ fetch, retry: false });
    const chat = new strata.Conversation(await strata.load(), client, { model: 'gemini-3.8-flash' });
    ${wait}`;
    const lines = linesOf(`deep-${method}`, body);
    assert.ok(lines.length < 15, lines.join('\n'));
    const frames = lines.filter((line) => /^ {4}at /.test(line));
    assert.match(frames[0], new RegExp(`Conversation\\.${method}`));
    assert.match(frames[1], /caller/);
  });
}

test('a message of several lines stays whole', async () => {
  const { StrataError } = await import(
    join(consumer, 'node_modules', 'prompt-strata', 'dist', 'index.js')
  );
  const error = new StrataError('code', 'first\n    at second');
  assert.ok(error.stack.startsWith('StrataError: first\n    at second\n'), error.stack);
  assert.match(error.stack, /uncaught\.test\.mjs/);
  error.stack = 'changed';
  assert.equal(error.stack, 'changed');
});

test('the properties that are not printed can be read', async () => {
  const { loadTemplates } = await import(
    join(consumer, 'node_modules', 'prompt-strata', 'dist', 'templates.js')
  );
  const templates = await loadTemplates();
  const error = await Promise.resolve()
    .then(() => templates.template('{{'))
    .catch((thrown) => thrown);
  assert.equal(error.kind, 'syntax');
  assert.equal(error.excerpt, '{{');
  assert.equal(error.template, '');
  assert.deepEqual(error.diagnostics, []);
});
