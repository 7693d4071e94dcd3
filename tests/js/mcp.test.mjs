// Tools of an MCP server of the official SDK over streamable HTTP.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import test, { after, before } from 'node:test';
import { McpServer as Served } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { Conversation, GeminiClient, load } from 'prompt-strata';
import { McpServer } from 'prompt-strata/mcp';
import { z } from 'zod';

const model = 'gemini-3.8-flash';
const sessions = new Map();
const long = 'a'.repeat(70);
const deleted = [];
const context = { signal: new AbortController().signal };
let server;
let url;
let seenHeader;

function serve() {
  const served = new Served({ name: 'test', version: '1' });
  served.registerTool(
    'add numbers',
    {
      description: 'Adds',
      inputSchema: { a: z.number(), b: z.number(), delayMs: z.number().optional() },
    },
    async ({ a, b, delayMs = 0 }) => {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      return { content: [{ type: 'text', text: `${a + b}` }] };
    },
  );
  served.registerTool('draw', { description: 'Draws' }, () => ({
    content: [
      { type: 'text', text: 'A dot.' },
      { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
      { type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' },
    ],
  }));
  served.registerTool('fail', { description: 'Fails' }, () => ({
    isError: true,
    content: [{ type: 'text', text: 'No such file.' }],
  }));
  served.registerTool(
    'wait',
    { description: 'Waits for ever' },
    ({ signal }) => new Promise((_, no) => signal.addEventListener('abort', no)),
  );
  for (const name of ['x y', 'x_y', `${long}1`, `${long}2`]) {
    served.registerTool(name, { description: name }, () => ({
      content: [{ type: 'text', text: name }],
    }));
  }
  return served;
}

async function answer(request, response) {
  seenHeader = request.headers['x-who'];
  if (request.method === 'DELETE') deleted.push(request.headers['mcp-session-id']);
  const known = sessions.get(request.headers['mcp-session-id']);
  const transport =
    known ??
    new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => sessions.set(id, transport),
    });
  if (!known) await serve().connect(transport);
  await transport.handleRequest(request, response);
}

before(async () => {
  server = createServer((request, response) => void answer(request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${server.address().port}/mcp`;
});

after(() => {
  server.closeAllConnections();
  server.close();
});

const chunk = (parts) =>
  `data: ${JSON.stringify({
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
  })}\r\n\r\n`;

/** Runs a conversation whose first answer makes these calls; returns its bodies and the results it sent. */
async function callTools(calls, options, source) {
  const bodies = [];
  const fetch = async (_, init) => {
    bodies.push(JSON.parse(new TextDecoder().decode(init.body)));
    const parts = calls.map((call, i) => ({
      functionCall: call,
      ...(i === 0 ? { thoughtSignature: 'c2lnbmVk' } : {}),
    }));
    return new Response(chunk(bodies.length === 1 ? parts : [{ text: 'Done.' }]));
  };
  const strata = await load();
  const client = new GeminiClient({ fetch, retry: false });
  const chat = new Conversation(strata, client, { model, tools: [source], ...options });
  for await (const { type } of chat.send('Go')) assert.notEqual(type, 'fault');
  const results = bodies[1].contents.at(-1).parts.map(({ functionResponse }) => functionResponse);
  return { bodies, results };
}

test('declares the tools with names and schemas that Gemini accepts, and runs them', async () => {
  const source = new McpServer({ url, prefix: 'mcp.', headers: { 'x-who': 'strata' } });
  const calls = [
    { name: 'mcp.add_numbers', args: { a: 2, b: 3 } },
    { name: 'mcp.draw', args: {} },
    { name: 'mcp.fail', args: {} },
  ];
  const { bodies, results } = await callTools(calls, {}, source);
  await source.close();
  const [add, draw] = bodies[0].tools[0].functionDeclarations;
  assert.equal(add.name, 'mcp.add_numbers');
  assert.deepEqual(Object.keys(add.parametersJsonSchema.properties), ['a', 'b', 'delayMs']);
  assert.equal(add.parametersJsonSchema.$schema, undefined);
  assert.deepEqual(draw, { name: 'mcp.draw', description: 'Draws' });
  assert.deepEqual(results[0].response, { output: '5' });
  assert.deepEqual(results[1].parts, [
    { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } },
  ]);
  assert.match(results[1].response.output, /^A dot\.\n\[audio\/wav, 8 characters/);
  assert.deepEqual(results[2].response, { error: 'No such file.' });
  assert.equal(seenHeader, 'strata');
});

test('returns an error result for a call that times out, and declares only the included tools', async () => {
  const source = new McpServer({ url, include: (name) => name === 'wait' });
  const calls = [{ name: 'wait', args: {} }];
  const { bodies, results } = await callTools(calls, { toolTimeoutMs: 100 }, source);
  await source.close();
  assert.deepEqual(
    bodies[0].tools[0].functionDeclarations.map(({ name }) => name),
    ['wait'],
  );
  assert.match(results[0].response.error, /longer than 100 ms/);
});

/** Returns the tool that adds, of a source. */
async function adder(source) {
  const tools = await source.discover(context);
  return tools.find(({ name }) => name === 'add_numbers');
}

test('begins another session at once when the server has forgotten it', async () => {
  const source = new McpServer({ url });
  const add = await adder(source);
  assert.equal(await add.run({ a: 1, b: 1 }, context), '2');
  const forget = async () => sessions.get([...sessions.keys()].at(-1)).close();
  await forget();
  assert.equal(await add.run({ a: 2, b: 2 }, context), '4');
  await forget();
  const again = await adder(source);
  assert.equal(await again.run({ a: 3, b: 3 }, context), '6');
  await source.close();
});

test('a call that fails does not end the others, and the next one connects again', async () => {
  let status;
  const failing = async (input, init) => {
    if (!status || !String(init.body).includes('"a":0')) return fetch(input, init);
    return new Response('no', { status });
  };
  const source = new McpServer({ url, fetch: failing });
  const add = await adder(source);
  for (status of [429, 500, 502]) {
    const session = [...sessions.keys()].at(-1);
    const slow = Promise.all([3, 4].map((a) => add.run({ a, b: 0, delayMs: 100 }, context)));
    await assert.rejects(add.run({ a: 0, b: 0 }, context));
    assert.ok(!deleted.includes(session));
    assert.equal(await add.run({ a: 5, b: 0 }, context), '5');
    assert.deepEqual(await slow, ['3', '4']);
    assert.notEqual([...sessions.keys()].at(-1), session);
  }
  await source.close();
});

test('close ends the calls of a connection that failed, and each session once', async () => {
  let isFailing = false;
  const failing = async (input, init) =>
    isFailing && String(init.body).includes('"a":0')
      ? new Response('no', { status: 500 })
      : fetch(input, init);
  const source = new McpServer({ url, fetch: failing });
  const add = await adder(source);
  const session = [...sessions.keys()].at(-1);
  const slow = assert.rejects(add.run({ a: 1, b: 1, delayMs: 3_000 }, context));
  isFailing = true;
  const failed = [0, 0].map((a) => assert.rejects(add.run({ a, b: 0 }, context)));
  await Promise.all(failed);
  await source.close();
  await slow;
  assert.equal(deleted.filter((id) => id === session).length, 1);
});

test('gives tools with the same Gemini name unique names and reports the change', async () => {
  const source = new McpServer({ url, include: (name) => /^(x|aa)/.test(name) });
  const emitted = [];
  const { signal } = new AbortController();
  const tools = await source.discover({ signal, emit: (diagnostic) => emitted.push(diagnostic) });
  const names = tools.map(({ name }) => name);
  assert.equal(new Set(names).size, 4);
  assert.equal(names[1], 'x_y');
  for (const name of names) assert.match(name, /^[a-z_][a-z0-9_]{2,63}$/);
  const results = await Promise.all(tools.map((tool) => tool.run({}, { signal })));
  assert.deepEqual(results, ['x y', 'x_y', `${long}1`, `${long}2`]);
  assert.deepEqual(
    emitted.map(({ code }) => code),
    Array(3).fill('tools.name_changed'),
  );
  const again = await source.discover({ signal });
  assert.deepEqual(
    again.map(({ name }) => name),
    names,
  );
  await source.close();
});

test('ends the session on the server on close', async () => {
  const source = new McpServer({ url });
  await source.discover({ signal: new AbortController().signal });
  const [session] = [...sessions.keys()].slice(-1);
  await source.close();
  assert.ok(deleted.includes(session));
  await source.close();
});

test('closes a connection that hangs and one that fails without an error', async () => {
  const hanging = createServer(() => {});
  await new Promise((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  const hangs = new McpServer({ url: `http://127.0.0.1:${hanging.address().port}/mcp` });
  const fails = new McpServer({ url: 'http://127.0.0.1:1/mcp' });
  for (const source of [hangs, fails]) {
    const found = source.discover({ signal: new AbortController().signal });
    const rejected = assert.rejects(found);
    await new Promise((resolve) => setTimeout(resolve, source === hangs ? 50 : 0));
    const limit = new Promise((_, no) => setTimeout(no, 2000, new Error('close hangs')).unref());
    await Promise.race([source.close(), limit]);
    await rejected;
  }
  hanging.closeAllConnections();
  hanging.close();
});

test('rejects unknown options, so a misspelled `confirm` does not disable confirmation', () => {
  assert.throws(() => new McpServer({ url, confrim: true }), { code: 'field.unknown' });
  assert.throws(() => new McpServer({ url, confirm: 'yes' }), { code: 'field.invalid' });
  assert.throws(() => new McpServer({}), { code: 'field.invalid' });
});

/** Returns a server of the protocol whose lists of tools have what `pageOf(number)` returns, and the number of pages. */
async function listing(pageOf) {
  const seen = { pages: 0 };
  const answer = (request) => {
    if (request.method === 'initialize') {
      const { protocolVersion } = request.params;
      return {
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'x', version: '1' },
      };
    }
    return pageOf(seen.pages++);
  };
  const fetch = async (_, { method, body }) => {
    if (method !== 'POST') return new Response(null, { status: 405 });
    const request = JSON.parse(body);
    if (request.id === undefined) return new Response(null, { status: 202 });
    return Response.json({ jsonrpc: '2.0', id: request.id, result: answer(request) });
  };
  return { seen, source: new McpServer({ url: 'http://mcp.example/', fetch }) };
}

const toolsOf = (page, count = 1) =>
  Array.from({ length: count }, (_, i) => ({
    name: `t${page}_${i}`,
    inputSchema: { type: 'object' },
  }));

test('ends lists of tools without an end with an error that says so', async () => {
  const cases = [
    [() => ({ tools: [], nextCursor: 'same' }), 2, /repeats|sent before/],
    [(page) => ({ tools: [], nextCursor: `${page % 7}` }), 8, /sent before/],
    [(page) => ({ tools: toolsOf(page), nextCursor: `${page}` }), 1001, /more pages/],
    [(page) => ({ tools: toolsOf(page, 4000), nextCursor: `${page}` }), 3, /listed 12000 tools/],
  ];
  for (const [pageOf, pages, message] of cases) {
    const { seen, source } = await listing(pageOf);
    await assert.rejects(source.discover(context), { code: 'mcp.endless', message });
    assert.equal(seen.pages, pages);
    await source.close();
  }
});

test('leaves no listener at the signal after many pages, and still ends with it', async () => {
  const listeners = { now: 0, most: 0 };
  const controller = new AbortController();
  const { signal } = controller;
  const [add, remove] = [signal.addEventListener, signal.removeEventListener];
  signal.addEventListener = (...given) => {
    listeners.most = Math.max(listeners.most, ++listeners.now);
    add.apply(signal, given);
  };
  signal.removeEventListener = (...given) => {
    listeners.now--;
    remove.apply(signal, given);
  };
  const { source } = await listing((page) => ({
    tools: toolsOf(page),
    ...(page < 50 && { nextCursor: `${page}` }),
  }));
  assert.equal((await source.discover({ signal })).length, 51);
  assert.ok(listeners.now <= 1 && listeners.most <= 2, JSON.stringify(listeners));
  await source.close();

  const { source: endless } = await listing((page) => {
    if (page === 5) controller.abort(new Error('enough'));
    return { tools: [], nextCursor: `${page}` };
  });
  await assert.rejects(endless.discover({ signal }), /enough/);
  await endless.close();
});
