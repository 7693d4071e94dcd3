// The gateway between the two APIs: clients of one are served through the other, with tools, streams and signatures.
import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { GoogleGenAI } from '@google/genai';
import { createGateway } from 'prompt-strata/gateway';
import { serve } from 'prompt-strata/node';
import { createEmulator } from 'prompt-strata/testing';

const model = 'gemini-3.8-flash';
const host = 'https://generativelanguage.googleapis.com';
const question = 'What is the weather in Paris and Rome?';
const again = 'What is the weather in Oslo and Bergen?';
const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const weather = { name: 'get_weather', description: 'The weather in a city', parameters: schema };
const tools = [{ functionDeclarations: [weather] }];
const user = (text) => ({ role: 'user', parts: [{ text }] });
const said = (text) => ({ type: 'user_input', content: [{ type: 'text', text }] });

/** Returns a gateway in front of a strict emulator, and what the emulator is asked. */
function start(upstreamWire, options = {}, emulated = {}) {
  const emulator = createEmulator({ checkSignatures: true, ...emulated });
  const sent = [];
  const upstream = async (input, init) => {
    const request = new Request(input, init);
    const text = await request.clone().text();
    sent.push({ path: new URL(request.url).pathname, body: text && JSON.parse(text) });
    return emulator(request);
  };
  const gateway = createGateway({ upstream, upstreamWire, ...options });
  const send = async (path, body, { method = 'POST', headers = {} } = {}) => {
    const response = await gateway.fetch(host + path, {
      ...{ method, ...(body !== undefined && { body: JSON.stringify(body) }) },
      headers: { 'content-type': 'application/json', 'x-goog-api-key': 'a-key', ...headers },
    });
    const text = await response.text();
    const json = /^[{[]/.test(text) ? JSON.parse(text) : undefined;
    return { status: response.status, headers: response.headers, text, json };
  };
  return { gateway, send, sent };
}

/** Calls `use` with the address of a server of this gateway. */
async function served({ gateway }, use) {
  const server = await serve(gateway.handle);
  try {
    return await use(server.url);
  } finally {
    await server.close();
  }
}

const clientAt = (baseUrl) => new GoogleGenAI({ apiKey: 'any-key', httpOptions: { baseUrl } });
const signaturesIn = (value) =>
  [...JSON.stringify(value).matchAll(/"(?:thoughtS|s)ignature":"([^"]+)"/g)].map(
    ([, text]) => text,
  );
const bodiesTo = (sent, path) =>
  sent.filter((each) => path.test(each.path)).map(({ body }) => body);

describe('generateContent through the Interactions API', () => {
  const path = `/v1beta/models/${model}:generateContent`;

  test('@google/genai runs two turns with parallel calls, streamed or not', async () => {
    for (const isStream of [false, true]) {
      const gateway = start('interactions');
      await served(gateway, async (url) => {
        const { models } = clientAt(url);
        const contents = [];
        const ask = async () => {
          const request = { model, contents, config: { tools } };
          const chunks = [];
          if (isStream)
            for await (const chunk of await models.generateContentStream(request))
              chunks.push(chunk);
          else chunks.push(await models.generateContent(request));
          const parts = chunks.flatMap(({ candidates: [{ content }] }) => content.parts ?? []);
          contents.push({ role: 'model', parts });
          const last = chunks.at(-1);
          assert.equal(last.candidates[0].finishReason, 'STOP');
          assert.ok(last.usageMetadata.promptTokenCount > 0 && last.modelVersion === model);
          return parts;
        };
        for (const asked of [question, again]) {
          contents.push(user(asked));
          const parts = await ask();
          const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
          assert.equal(calls.length, 2);
          assert.ok(parts.find(({ functionCall }) => functionCall).thoughtSignature);
          const results = calls.map(({ id, name }) => ({
            functionResponse: { id, name, response: { sky: 'clear' } },
          }));
          contents.push({ role: 'user', parts: results });
          const text = (await ask()).map((part) => part.text ?? '').join('');
          assert.match(text, /get_weather for .* answered sky clear/);
        }
        const bodies = bodiesTo(gateway.sent, /^\/v1(?:beta)?\/interactions$/);
        assert.deepEqual([bodies.length, gateway.sent.length], [4, 4]);
        assert.deepEqual(
          bodies.map(({ stream, store }) => [stream, store]),
          bodies.map(() => [isStream || undefined, false]),
        );
        const kept = signaturesIn(contents.slice(0, -1));
        assert.equal(new Set(kept).size, 3);
        assert.deepEqual(new Set(signaturesIn(bodies[3].input)), new Set(kept));
      });
    }
  });

  test('signatures that a client drops come back, and the rules of that API hold', async () => {
    const { send, sent } = start('interactions');
    const first = await send(path, { contents: [user(question)], tools });
    const { parts } = first.json.candidates[0].content;
    const calls = parts.map(({ functionCall }) => ({ functionCall }));
    const results = calls.map(({ functionCall: { id, name } }) => ({
      functionResponse: { id, name, response: {} },
    }));
    const contents = [
      ...[user(question), { role: 'model', parts: calls }, { role: 'user', parts: results }],
    ];
    const second = await send(path, { contents, tools });
    assert.deepEqual([second.status, second.headers.get('x-strata-restored')], [200, '1']);
    assert.equal(sent[1].body.input[1].signature, parts[0].thoughtSignature);
  });

  test('a stream without alt=sse is an array', async () => {
    const { send } = start('interactions');
    const stream = `/v1beta/models/${model}:streamGenerateContent`;
    const { json, headers } = await send(stream, { contents: [user('Hello')] });
    assert.ok(Array.isArray(json) && json.length > 1);
    assert.match(headers.get('content-type'), /^application\/json/);
    const sse = await send(`${stream}?alt=sse`, { contents: [user('Hello')] });
    const chunks = sse.text.split('\r\n\r\n').filter((each) => each !== '');
    const textOf = (all) =>
      all.flatMap(({ candidates: [{ content }] }) => content.parts ?? []).map(({ text }) => text);
    assert.deepEqual(textOf(chunks.map((each) => JSON.parse(each.slice(6)))), textOf(json));
  });

  test('what the other API does not have is refused, or reported', async () => {
    const { send, sent } = start('interactions');
    const body = { contents: [user('Hello')], cachedContent: 'cachedContents/1' };
    const refused = await send(path, body);
    assert.deepEqual([refused.status, refused.json.error.status], [400, 'INVALID_ARGUMENT']);
    assert.equal(refused.json.error.details[0].reason, 'convert.refused');
    assert.match(refused.json.error.message, /^\/cachedContent: /);
    const observed = await send(path, body, { headers: { 'x-strata-policy': 'observe' } });
    assert.deepEqual([observed.status, sent.length], [200, 1]);
    assert.match(observed.headers.get('x-strata-findings'), /convert\.refused/);
    const budget = { contents: [user('Hello')], generationConfig: { logprobs: 2, topK: 3 } };
    assert.match((await send(path, budget)).headers.get('x-strata-findings') ?? '', /convert\./);
  });

  test('errors have the form of generateContent, also within a stream', async () => {
    const faults = [
      { kind: 'http503' },
      { kind: 'mid-stream-error' },
      { kind: 'cut-stream' },
      { kind: 'mid-stream-error' },
    ];
    const { send } = start('interactions', {}, { faults });
    const { status, json } = await send(path, { contents: [user('Hello')] });
    assert.deepEqual([status, json.error.code, json.error.status], [503, 503, 'UNAVAILABLE']);
    const stream = `/v1beta/models/${model}:streamGenerateContent?alt=sse`;
    const broken = await send(stream, { contents: [user('Hello')] });
    assert.match(broken.text, /"error":\{"code":503,.*"status":"UNAVAILABLE"/);
    await assert.rejects(send(stream, { contents: [user('Hello')] }));
    const ends = ['max-tokens', 'finish', 'malformed-call'].map((kind) => ({ kind }));
    const ended = start('interactions', {}, { faults: ends });
    for (const reason of ['MAX_TOKENS', 'SAFETY', 'MALFORMED_FUNCTION_CALL']) {
      const { text } = await ended.send(stream, { contents: [user('Hello')] });
      assert.match(text, new RegExp(`"finishReason":"${reason}"`));
    }
    const unknown = await start('interactions').send('/v1beta/models/none:generateContent', {
      contents: [user('Hello')],
    });
    assert.deepEqual([unknown.status, unknown.json.error.status], [404, 'NOT_FOUND']);
  });

  test('a blocked prompt is an answer that says so, as on the API of the client', async () => {
    const faults = Array.from({ length: 4 }, () => ({ kind: 'blocked' }));
    const { send } = start('interactions', {}, { faults });
    const whole = await send(path, { contents: [user('Hello')] });
    assert.deepEqual([whole.status, whole.json.promptFeedback], [200, { blockReason: 'OTHER' }]);
    const stream = `/v1beta/models/${model}:streamGenerateContent?alt=sse`;
    const { text } = await send(stream, { contents: [user('Hello')] });
    assert.match(text, /^data: \{"promptFeedback":\{"blockReason":"OTHER"\},[^\n]*\r\n\r\n$/);
    const messages = [{ role: 'user', content: 'Hello' }];
    const chat = await send('/v1/chat/completions', { model, messages });
    const [{ message, finish_reason: reason }] = chat.json.choices;
    assert.equal(reason, 'content_filter');
    assert.match(message.refusal, /OTHER/);
    const streamed = await send('/v1/chat/completions', { model, messages, stream: true });
    assert.match(streamed.text, /"finish_reason":"content_filter"/);
  });

  test('an answer that is not complete is cut, and the log says so', async () => {
    const frame = (event) => `event: ${event.event_type}\ndata: ${JSON.stringify(event)}\n\n`;
    const interaction = { id: '', status: 'in_progress', object: 'interaction', model };
    const open = [
      { interaction, event_type: 'interaction.created' },
      { index: 0, step: { type: 'model_output' }, event_type: 'step.start' },
      { index: 0, delta: { type: 'text', text: 'Hi' }, event_type: 'step.delta' },
      { interaction: { id: '', status: 'completed' }, event_type: 'interaction.completed' },
    ];
    const lines = [];
    const gateway = createGateway({
      upstream: async (_, { body }) =>
        JSON.parse(new TextDecoder().decode(body)).stream
          ? new Response(open.map(frame).join('') + 'event: done\ndata: [DONE]\n\n', {
              headers: { 'content-type': 'text/event-stream' },
            })
          : Response.json(interaction),
      upstreamWire: 'interactions',
      log: (line) => lines.push(JSON.parse(line)),
    });
    const ask = (to) =>
      gateway.fetch(host + to, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-goog-api-key': 'a-key' },
        body: JSON.stringify({ contents: [user('Hello')] }),
      });
    const whole = await ask(path);
    const { error } = await whole.json();
    assert.deepEqual([whole.status, error.details[0].reason], [502, 'answer.cut']);
    const stream = await ask(`/v1beta/models/${model}:streamGenerateContent?alt=sse`);
    await assert.rejects(stream.text());
    assert.deepEqual(
      lines.map((line) => [line.status, line.error]),
      [
        [502, 'answer.cut'],
        [200, 'answer.cut'],
      ],
    );
  });

  test('token counts and lists of models pass', async () => {
    const { send, sent } = start('interactions');
    const counted = await send(`/v1beta/models/${model}:countTokens`, { contents: [user('Hi')] });
    assert.ok(counted.json.totalTokens > 0);
    assert.ok((await send('/v1beta/models', undefined, { method: 'GET' })).json.models.length > 0);
    assert.deepEqual(
      sent.map((each) => each.path),
      [`/v1beta/models/${model}:countTokens`, '/v1beta/models'],
    );
  });

  test("OpenAI's dialect runs two turns with parallel calls, streamed or not", async () => {
    for (const stream of [false, true]) {
      const { send, sent } = start('interactions');
      const messages = [];
      const ask = async () => {
        const request = {
          model,
          messages,
          stream,
          tools: [{ type: 'function', function: weather }],
        };
        const { text, json } = await send('/v1/chat/completions', request);
        const message = stream ? messageIn(text) : json.choices[0].message;
        messages.push(message);
        return message;
      };
      for (const asked of [question, again]) {
        messages.push({ role: 'user', content: asked });
        const { tool_calls: calls } = await ask();
        assert.equal(calls.length, 2);
        for (const { id } of calls)
          messages.push({ role: 'tool', tool_call_id: id, content: '{"sky":"clear"}' });
        assert.match((await ask()).content, /get_weather for .* answered sky clear/);
      }
      const bodies = bodiesTo(sent, /^\/v1(?:beta)?\/interactions$/);
      assert.deepEqual([bodies.length, sent.length], [4, 4]);
      const thoughts = bodies[3].input.filter(({ signature }) => signature);
      assert.equal(new Set(thoughts.map(({ signature }) => signature)).size, 3);
    }
  });
});

/** Returns the message that the chunks of a completion add up to. */
function messageIn(text) {
  const message = { role: 'assistant', content: '', tool_calls: [] };
  for (const [, data] of text.matchAll(/^data: (\{.*)$/gm)) {
    const { content, tool_calls: calls = [] } = JSON.parse(data).choices[0]?.delta ?? {};
    message.content += content ?? '';
    for (const { index, ...call } of calls) {
      const known = (message.tool_calls[index] ??= {
        ...call,
        function: { name: '', arguments: '' },
      });
      known.function.name += call.function?.name ?? '';
      known.function.arguments += call.function?.arguments ?? '';
    }
  }
  if (message.tool_calls.length === 0) delete message.tool_calls;
  return message;
}

describe('the Interactions API through generateContent', () => {
  const path = '/v1beta/interactions';
  const base = { model, tools: [{ type: 'function', ...weather }] };

  /** Returns the steps that the events of a stream add up to. */
  function stepsIn(events) {
    const steps = [];
    for (const { event_type: type, step, delta = {} } of events) {
      if (type === 'step.start') steps.push({ ...step, args: '' });
      const last = steps.at(-1);
      if (delta.type === 'text')
        (last.content ??= [{ type: 'text', text: '' }])[0].text += delta.text;
      if (delta.type === 'thought_summary') (last.summary ??= []).push(delta.content);
      if (delta.type === 'thought_signature') last.signature = delta.signature;
      if (delta.type === 'arguments_delta') last.args += delta.arguments;
    }
    return steps.map(({ args, ...step }) =>
      args ? { ...step, arguments: JSON.parse(args) } : step,
    );
  }

  test('@google/genai runs two turns with parallel calls, streamed or not', async () => {
    for (const isStream of [false, true]) {
      const gateway = start('generateContent');
      await served(gateway, async (url) => {
        const { interactions } = clientAt(url);
        const input = [];
        const ask = async () => {
          const request = { ...base, input, store: false };
          let answer;
          if (isStream) {
            const events = [];
            for await (const event of await interactions.create({ ...request, stream: true }))
              events.push(event);
            assert.equal(events[0].event_type, 'interaction.created');
            answer = { ...events.at(-1).interaction, steps: stepsIn(events) };
          } else answer = await interactions.create(request);
          assert.ok(answer.usage.total_input_tokens > 0);
          input.push(...answer.steps);
          return answer;
        };
        for (const asked of [question, again]) {
          input.push(said(asked));
          const { status, steps } = await ask();
          const calls = steps.filter(({ type }) => type === 'function_call');
          assert.deepEqual(
            [status, steps[0].type, calls.length],
            ['requires_action', 'thought', 2],
          );
          for (const { id, name } of calls)
            input.push({ type: 'function_result', call_id: id, name, result: { sky: 'clear' } });
          const answered = await ask();
          assert.equal(answered.status, 'completed');
          const text = answered.steps.flatMap(({ content = [] }) => content)[0].text;
          assert.match(text, /get_weather for .* answered sky clear/);
        }
        const method = isStream ? /:streamGenerateContent$/ : /:generateContent$/;
        const bodies = bodiesTo(gateway.sent, method);
        assert.deepEqual([bodies.length, gateway.sent.length], [4, 4]);
        const last = input.findLastIndex(({ type }) => type === 'function_result');
        const kept = signaturesIn(input.slice(0, last));
        assert.equal(new Set(kept).size, 3);
        assert.deepEqual(new Set(signaturesIn(bodies[3].contents)), new Set(kept));
      });
    }
  });

  test('writes the events of a stream in the recorded order', async () => {
    const { send } = start('generateContent');
    const config = { generation_config: { thinking_summaries: 'auto' } };
    const body = { ...base, ...config, input: question, store: false, stream: true };
    const { text, headers } = await send(path, body);
    assert.match(headers.get('content-type'), /^text\/event-stream/);
    const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data));
    const names = events.map(
      ({ event_type: type, step, delta }) => step?.type ?? delta?.type ?? type,
    );
    const call = ['function_call', 'arguments_delta', 'step.stop'];
    assert.deepEqual(
      names.filter((name, index) => name !== names[index - 1]),
      [
        ...['interaction.created', 'interaction.status_update'],
        ...['thought', 'thought_summary', 'thought_signature', 'step.stop'],
        ...[...call, ...call, 'interaction.completed'],
      ],
    );
    assert.match(text, /event: done\ndata: \[DONE\]\n\n$/);
  });

  test('dropped thoughts come back', async () => {
    const { send, sent } = start('generateContent');
    const { json } = await send(path, { ...base, input: question, store: false });
    const calls = json.steps.filter(({ type }) => type === 'function_call');
    const results = calls.map(({ id, name }) => ({
      ...{ type: 'function_result', call_id: id, name, result: {} },
    }));
    const input = [said(question), ...calls, ...results];
    const second = await send(path, { ...base, input, store: false });
    assert.deepEqual([second.status, second.headers.get('x-strata-restored')], [200, '1']);
    const { thoughtSignature } = sent[1].body.contents[1].parts[0];
    assert.equal(thoughtSignature, json.steps[0].signature);
  });

  test('numbers keep their digits, and calls without an id get one', async () => {
    const respond = () =>
      new Response(
        '{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"pay","args":{"cents":12345678901234567890}}}]},"finishReason":"STOP"}]}',
        { headers: { 'content-type': 'application/json' } },
      );
    const gateway = createGateway({
      upstream: async () => respond(),
      upstreamWire: 'generateContent',
    });
    for (const stream of [false, true]) {
      const response = await gateway.fetch(host + path, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify({ model, input: 'Pay', stream }),
      });
      const text = await response.text();
      assert.match(text, /"arguments":"?\{\\?"cents\\?":12345678901234567890\}/);
      assert.match(text, /"id":"call_[0-9a-f]{8}"/);
    }
  });

  test('what needs state is refused, with what to do', async () => {
    const { send, sent } = start('generateContent');
    for (const [field, value] of [
      ['previous_interaction_id', 'v1_abc'],
      ['background', true],
      ['store', true],
    ]) {
      const { status, json } = await send(path, { model, input: 'Hello', [field]: value });
      assert.deepEqual([status, json.error.code], [400, 'invalid_request']);
      assert.equal(json.error.details[0].reason, 'wire.stateless');
      assert.ok(json.error.message.includes(`"${field}" cannot be served. `));
    }
    for (const method of ['GET', 'DELETE']) {
      const { status, json } = await send(`${path}/v1_abc`, undefined, { method });
      assert.deepEqual([status, json.error.code], [404, 'not_found']);
    }
    const agent = await send(path, { agent: 'deep-research', input: 'Hello' });
    assert.match(agent.json.error.message, /Name a model\.$/);
    assert.equal((await send(path, { input: 'Hello' })).status, 404);
    assert.equal(sent.length, 0);
  });

  test('errors have the form of this API, also within a stream', async () => {
    const faults = [{ kind: 'http503' }, { kind: 'mid-stream-error' }, { kind: 'cut-stream' }];
    const { send } = start('generateContent', {}, { faults });
    const body = { model, input: 'Hello', store: false };
    const { status, json } = await send(path, body);
    assert.deepEqual([status, json.error.code], [503, 'service_unavailable']);
    const broken = await send(path, { ...body, stream: true });
    assert.match(broken.text, /event: error\ndata: \{"error":\{"code":"service_unavailable",/);
    await assert.rejects(send(path, { ...body, stream: true }));
  });

  test('answers that end otherwise say so', async () => {
    const faults = ['max-tokens', 'finish', 'blocked', 'blocked'].map((kind) => ({ kind }));
    const { send } = start('generateContent', {}, { faults });
    const body = { model, input: 'Hello', store: false };
    assert.equal((await send(path, body)).json.status, 'incomplete');
    const { json } = await send(path, body);
    assert.deepEqual([json.status, json.errors[0].code], ['failed', 'safety']);
    const blocked = await send(path, body);
    assert.deepEqual([blocked.status, blocked.json.error.code], [400, 'content_blocked']);
    const stream = await send(path, { ...body, stream: true });
    assert.match(stream.text, /"code":"content_blocked"/);
  });
});

test('upstreamWire names an API that the upstream has', () => {
  assert.throws(() => createGateway({ upstreamWire: 'openai' }), { code: 'field.invalid' });
  const vertexai = { project: 'p', location: 'global', token: 't' };
  assert.throws(() => createGateway({ vertexai, upstreamWire: 'interactions' }), {
    code: 'field.invalid',
  });
});
