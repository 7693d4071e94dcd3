// The command `mcp`, driven by both versions of the official client.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Client as Client2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { consumer } from '../support/consumer.mjs';

const command = join(consumer, 'node_modules', '.bin', 'prompt-strata');
const key = 'AIzaSyCommand-test-key_0123456789abcdef';
const model = 'gemini-3.8-flash';
const user = (...parts) => ({ role: 'user', parts });
const signed = { thoughtSignature: 'c2lnbmF0dXJl', functionCall: { name: 'f', args: {} } };
const unanswered = JSON.stringify({
  contents: [user({ text: 'Hello' }), { role: 'model', parts: [signed] }, user({ text: 'And?' })],
});

for (const [version, Client, Stdio] of [
  ['1', Client1, Stdio1],
  ['2', Client2, Stdio2],
]) {
  describe(`the client of version ${version}`, () => {
    let client;
    before(async () => {
      client = new Client({ name: 'test', version: '1' });
      await client.connect(new Stdio({ command, args: ['mcp'], stderr: 'inherit' }));
    });
    after(() => client.close());

    const call = (name, args, options) =>
      version === '1'
        ? client.callTool({ name, arguments: args }, undefined, options)
        : client.callTool({ name, arguments: args }, options);

    test('sees the tools', async () => {
      const { tools } = await client.listTools();
      const names = tools.map(({ name }) => name);
      assert.deepEqual(names, ['lint', 'repair', 'convert', 'explain_rule', 'models']);
      assert.ok(tools.every(({ inputSchema }) => inputSchema.type === 'object'));
      assert.match(client.getInstructions(), /Gemini API/);
    });

    test('lints, with the place and the words of Google', async () => {
      const { content, structuredContent } = await call('lint', { request: unanswered, model });
      const [found] = structuredContent.findings;
      assert.equal(structuredContent.ok, false);
      assert.equal(found.code, 'call.open');
      assert.equal(found.line, 1);
      assert.match(content[0].text, /request:1:\d+ error call\.open [^]*Google:[^]*1 error/);
    });

    test('lints a command without its key in the answer', async () => {
      const url = `https://generativelanguage.googleapis.com/v1beta/models/${model}:generateContent?key=${key}`;
      const request = `curl '${url}' -d '{"contents":[],"tool":"${key}"}'`;
      const answer = await call('lint', { request });
      assert.equal(answer.structuredContent.requests, 1);
      assert.equal(answer.structuredContent.ok, false);
      assert.doesNotMatch(JSON.stringify(answer), new RegExp(key));
    });

    test('shows the first of many findings, and says how many there are', async () => {
      const turn = user({ text: 'Hello', unknownField: 1 });
      const request = Array.from({ length: 60 }, () =>
        JSON.stringify({ contents: [turn], model: `models/${model}` }),
      ).join('\n');
      const { structuredContent, content } = await call('lint', { request });
      assert.equal(structuredContent.requests, 60);
      assert.equal(structuredContent.allFindings, 60);
      assert.equal(structuredContent.findings.length, 40);
      assert.match(content[0].text, /The first 40 of 60 findings are shown/);
    });

    test('repairs, and keeps the signature', async () => {
      const { structuredContent } = await call('repair', { request: unanswered, model });
      const { contents } = JSON.parse(structuredContent.repaired);
      assert.equal(structuredContent.ok, true);
      assert.deepEqual(contents[1].parts[0], signed);
      assert.equal(contents[2].parts[0].functionResponse.name, 'f');
    });

    test('converts a request and the messages of another client', async () => {
      const { structuredContent } = await call('convert', {
        request: unanswered,
        to: 'interactions',
        model,
      });
      const { input } = JSON.parse(structuredContent.converted);
      assert.equal(input[1].type, 'thought');
      assert.equal(input[1].signature, signed.thoughtSignature);
      const messages = [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
      ];
      for (const request of [messages, { messages }]) {
        const other = await call('convert', {
          request: JSON.stringify(request),
          to: 'generateContent',
          model,
        });
        assert.deepEqual(JSON.parse(other.structuredContent.converted), {
          systemInstruction: { parts: [{ text: 'Be brief.' }] },
          contents: [user({ text: 'Hello' })],
        });
      }
    });

    test('explains a rule, and an error message of Google', async () => {
      const known = await call('explain_rule', { code: 'signature.missing' });
      const [rule] = known.structuredContent.rules;
      assert.ok(rule.google.length > 0 && rule.sources.length > 0);
      assert.match(known.content[0].text, /^signature\.missing: [^]*Google answers: /);
      const error = { error: { code: 400, message: rule.google[0].replace(/\{\w+\}/g, 'x') } };
      const found = await call('explain_rule', { message: JSON.stringify(error) });
      assert.ok(found.structuredContent.rules.some(({ code }) => code === 'signature.missing'));
    });

    test('lists the models, and says what holds for one', async () => {
      const all = await call('models', {});
      assert.ok(all.structuredContent.models.some(({ id }) => id === model));
      const one = await call('models', {
        model: 'gemini-2.5-pro',
        now: '2027-01-01T00:00:00Z',
      });
      assert.equal(typeof one.structuredContent.servedBy, 'string');
    });

    for (const [name, args, words] of [
      ['lint', { request: '{"contents":[]}' }, /does not name a model\. .*argument model/],
      ['repair', { request: "curl https://x -d '{}'", model }, /cannot be repaired as a whole/],
      ['convert', { request: '{', to: 'interactions', model }, /JSON|expected/i],
      ['explain_rule', { code: 'no.rule' }, /There is no rule no\.rule/],
      ['explain_rule', { message: 'Something went wrong' }, /No rule has these words/],
    ]) {
      test(`${name} says why ${JSON.stringify(args)} has no answer`, async () => {
        const { isError, content } = await call(name, args);
        assert.equal(isError, true);
        assert.match(content[0].text, words);
        assert.doesNotMatch(content[0].text, / at .*\.js:\d/);
      });
    }

    test('refuses arguments that do not fit', async () => {
      const answer = await call('lint', { body: '{}' }).catch(({ message }) => ({
        isError: true,
        content: [{ text: message }],
      }));
      assert.equal(answer.isError, true);
      assert.match(answer.content[0].text, /request/);
    });

    test('is cancelled, and answers the next call', async () => {
      const line = JSON.stringify({ contents: [user({ text: 'Hello' })], model });
      const request = Array.from({ length: 5000 }, () => line).join('\n');
      const controller = new AbortController();
      const cancelled = call('lint', { request }, { signal: controller.signal });
      setTimeout(() => controller.abort(), 50);
      await assert.rejects(cancelled);
      const { structuredContent } = await call('lint', { request: line });
      assert.equal(structuredContent.requests, 1);
    });
  });
}
