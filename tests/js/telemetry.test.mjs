// Reads the spans of conversations with the in-memory exporter of OpenTelemetry's SDK, and compares their names and
// attributes with version 0.1.0 of the conventions for generative AI.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { afterEach, before } from 'node:test';
import { consumer } from '../support/consumer.mjs';
import { connect, GeminiClient } from 'prompt-strata';
import { MemoryStore } from 'prompt-strata/stores';
import { telemetry } from 'prompt-strata/telemetry';
import { createEmulator } from 'prompt-strata/testing';
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

const model = 'gemini-3.8-flash';
const exporter = new InMemorySpanExporter();

before(() => {
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
afterEach(() => exporter.reset());

const add = { name: 'add', description: 'Adds', run: ({ a, b }) => ({ sum: a + b }) };
const call = {
  parts: [
    {
      functionCall: { id: 'call_1', name: 'add', args: { a: 1, b: 2 } },
      thoughtSignature: 'c2lnbmVk',
    },
  ],
};

const connectTo = (respond, options = {}, emulator = {}) => {
  const fetch = createEmulator({ respond, ...emulator });
  const client = new GeminiClient({ fetch, retry: { initialMs: 1 } });
  const answerRetry = { initialMs: 1 };
  return connect({
    client,
    model,
    answerRetry,
    plugins: [telemetry(options.telemetry)],
    ...options.chat,
  });
};

/** Returns the finished spans by name, in the order in which they began. */
function spans() {
  const began = ({ startTime: [s, ns] }) => s * 1e9 + ns;
  return exporter.getFinishedSpans().toSorted((a, b) => began(a) - began(b));
}

const named = (name) => spans().filter((span) => span.name === name);
const request = `generate_content ${model}`;

test('a send has a span, with one for each request and each call in it', async () => {
  const generationConfig = {
    temperature: 0.5,
    maxOutputTokens: 100,
    thinkingConfig: { thinkingLevel: 'low' },
  };
  const place = { store: new MemoryStore(), id: 'today' };
  const chat = await connectTo(({ index }) => (index === 1 ? call : undefined), {
    chat: { tools: [add], generationConfig, ...place },
  });
  const tracer = trace.getTracer('test');
  await tracer.startActiveSpan('caller', async (span) => {
    await chat.ask('What is 1 + 2?');
    span.end();
  });
  const [caller] = named('caller');
  const [send] = named('invoke_agent');
  const [first, second] = named(request);
  const [tool] = named('execute_tool add');
  assert.equal(spans().length, 5);
  assert.equal(send.parentSpanContext.spanId, caller.spanContext().spanId);
  for (const each of [first, second, tool]) {
    assert.equal(each.parentSpanContext.spanId, send.spanContext().spanId);
    assert.equal(each.instrumentationScope.name, 'prompt-strata');
  }
  assert.deepEqual(
    [send.kind, first.kind, tool.kind],
    [SpanKind.INTERNAL, SpanKind.CLIENT, SpanKind.INTERNAL],
  );
  const service = {
    'gen_ai.provider.name': 'gcp.gemini',
    'gen_ai.conversation.id': 'today',
    'server.address': 'generativelanguage.googleapis.com',
    'server.port': 443,
  };
  const { 'gen_ai.response.time_to_first_chunk': seconds, ...attributes } = first.attributes;
  assert.ok(seconds >= 0 && seconds < 5);
  const usage = ['input_tokens', 'output_tokens'].map((name) => attributes[`gen_ai.usage.${name}`]);
  assert.ok(
    usage.every((count) => count > 0),
    JSON.stringify(attributes),
  );
  const expected = {
    ...service,
    'gen_ai.operation.name': 'generate_content',
    'gen_ai.request.model': model,
    'gen_ai.request.stream': true,
    'gen_ai.request.temperature': 0.5,
    'gen_ai.request.max_tokens': 100,
    'gen_ai.request.reasoning.level': 'low',
    'gen_ai.response.finish_reasons': ['stop'],
    'prompt_strata.request.purpose': 'answer',
  };
  for (const [name, value] of Object.entries(expected))
    assert.deepEqual(attributes[name], value, name);
  assert.match(attributes['gen_ai.response.id'], /./);
  assert.match(attributes['gen_ai.response.model'], /gemini-3\.8-flash/);
  assert.deepEqual(tool.attributes, {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'add',
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': 'call_1',
  });
  assert.equal(send.attributes['gen_ai.operation.name'], 'invoke_agent');
  assert.equal(
    send.attributes['gen_ai.usage.input_tokens'],
    [first, second].reduce((sum, span) => sum + span.attributes['gen_ai.usage.input_tokens'], 0),
  );
  assert.equal(JSON.stringify(spans().map((span) => span.attributes)).includes('What is'), false);
});

test('cached tokens and thoughts are told', async () => {
  const respond = () => ({ parts: [{ text: 'Hi' }] });
  const usageMetadata = {
    ...{
      promptTokenCount: 100,
      cachedContentTokenCount: 60,
      candidatesTokenCount: 7,
      thoughtsTokenCount: 5,
    },
    totalTokenCount: 112,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: 100 }],
  };
  const fetch = async () =>
    new Response(
      `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', ...respond() }, finishReason: 'MAX_TOKENS' }], usageMetadata })}\n\n`,
    );
  const chat = await connect({
    client: new GeminiClient({ fetch }),
    model,
    plugins: [telemetry()],
  });
  await chat.ask('Hello').catch(() => {});
  const { attributes } = named(request)[0];
  assert.equal(attributes['gen_ai.usage.cache_read.input_tokens'], 60);
  assert.equal(attributes['gen_ai.usage.output_tokens'], 12);
  assert.equal(attributes['gen_ai.usage.reasoning.output_tokens'], 5);
  assert.equal(attributes['gen_ai.usage.text.input_tokens'], 100);
});

test('contents are there only when they are asked for', async () => {
  const chat = await connectTo(
    ({ index }) => (index === 1 ? call : { parts: [{ text: 'It is 3.' }] }),
    {
      telemetry: { contents: true },
      chat: { tools: [add], systemInstruction: 'Be brief.' },
    },
  );
  await chat.ask('What is 1 + 2?');
  const [first, second] = named(request).map(({ attributes }) => attributes);
  const read = (attributes, name) => JSON.parse(attributes[`gen_ai.${name}`]);
  assert.deepEqual(read(first, 'system_instructions'), [{ type: 'text', content: 'Be brief.' }]);
  const question = { role: 'user', parts: [{ type: 'text', content: 'What is 1 + 2?' }] };
  assert.deepEqual(read(first, 'input.messages'), [question]);
  const toolCall = { type: 'tool_call', id: 'call_1', name: 'add', arguments: { a: 1, b: 2 } };
  assert.deepEqual(read(first, 'output.messages'), [
    { role: 'assistant', parts: [toolCall], finish_reason: 'stop' },
  ]);
  assert.deepEqual(read(second, 'input.messages').slice(1), [
    { role: 'assistant', parts: [toolCall] },
    {
      role: 'tool',
      parts: [{ type: 'tool_call_response', id: 'call_1', response: { output: { sum: 3 } } }],
    },
  ]);
  assert.equal(read(second, 'output.messages')[0].parts[0].content, 'It is 3.');
  const { attributes } = named('execute_tool add')[0];
  assert.deepEqual(read(attributes, 'tool.call.arguments'), { a: 1, b: 2 });
  assert.deepEqual(read(attributes, 'tool.call.result'), { output: { sum: 3 } });
});

test('the Interactions API has the same spans', async () => {
  const chat = await connectTo(
    ({ index }) => (index === 1 ? call : { parts: [{ text: 'It is 3.' }] }),
    {
      telemetry: { contents: true },
      chat: { tools: [add], wire: 'interactions' },
    },
  );
  await chat.ask('What is 1 + 2?');
  const requests = named(request);
  assert.equal(requests.length, 2);
  for (const { attributes } of requests) assert.ok(attributes['gen_ai.usage.input_tokens'] > 0);
  const messages = JSON.parse(requests[1].attributes['gen_ai.input.messages']);
  assert.deepEqual(
    messages.map(({ role }) => role).filter((role, i, all) => role !== all[i - 1]),
    ['user', 'assistant', 'tool'],
  );
  assert.match(requests[1].attributes['gen_ai.output.messages'], /It is 3/);
  assert.equal(named('execute_tool add').length, 1);
});

test('what fails has an error type, and a request that is sent again is one operation', async () => {
  const broken = { ...add, run: () => Promise.reject(new TypeError('no')) };
  const faults = [{ kind: 'http503' }, { kind: 'cut-stream' }];
  const chat = await connectTo(
    ({ index }) => (index === 3 ? call : undefined),
    { chat: { tools: [broken] } },
    { faults },
  );
  await chat.ask('Hello');
  const requests = named(request);
  const [cut, ...others] = requests;
  assert.equal(cut.attributes['error.type'], 'answer.cut');
  assert.equal(cut.status.code, SpanStatusCode.ERROR);
  assert.deepEqual(cut.attributes['gen_ai.response.finish_reasons'], ['error']);
  for (const each of others) assert.equal(each.status.code, SpanStatusCode.UNSET);
  const [tool] = named('execute_tool add');
  assert.equal(tool.attributes['error.type'], 'TypeError');
  assert.equal(named('invoke_agent')[0].status.code, SpanStatusCode.UNSET);
});

test('a send that fails or is aborted ends its spans', async () => {
  const fetch = async () =>
    Response.json(
      { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'No.' } },
      { status: 400 },
    );
  const chat = await connect({
    client: new GeminiClient({ fetch }),
    model,
    plugins: [telemetry()],
  });
  await assert.rejects(chat.ask('Hello'));
  const [send, sent] = spans();
  assert.deepEqual([send.name, sent.name], ['invoke_agent', request]);
  for (const { status, attributes } of [send, sent]) {
    assert.equal(status.code, SpanStatusCode.ERROR);
    assert.match(attributes['error.type'], /^[\w.]+$/);
  }
  exporter.reset();
  const other = await connectTo();
  for await (const event of other.send('Hello')) if (event.type === 'text') break;
  assert.equal(spans().length, 2);
});

test('without a tracer provider it does nothing, and it refuses unknown options', async () => {
  trace.disable();
  const chat = await connectTo();
  await chat.ask('Hello');
  assert.equal(spans().length, 0);
  assert.throws(() => telemetry({ content: true }), { code: 'field.unknown' });
  assert.throws(() => telemetry({ contents: 'yes' }), { code: 'field.invalid' });
});

test('no other entry loads it', () => {
  const dist = join(consumer, 'node_modules', 'prompt-strata', 'dist');
  for (const entry of ['index', 'check', 'gateway', 'remote'])
    assert.equal(readFileSync(join(dist, `${entry}.js`), 'utf8').includes('opentelemetry'), false);
});
