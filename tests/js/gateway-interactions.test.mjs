// The gateway and the Interactions API: what passes unchanged, what comes back, what is repaired and what is refused.
import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { GoogleGenAI } from '@google/genai';
import { createGateway } from 'prompt-strata/gateway';
import { serve } from 'prompt-strata/node';
import { createEmulator } from 'prompt-strata/testing';
import { loadChecker } from 'prompt-strata/check';
import { Random } from '../fuzz/random.mjs';
import { question, resultsOf, user, weather } from '../support/weather-steps.mjs';

const model = 'gemini-3.8-flash';
const base = { model, tools: [weather], store: false };
/** Returns steps without summaries, which are lost for good where a client drops them. */
const saidIn = (steps) =>
  steps
    .map((step) => ({ ...step, summary: undefined }))
    .filter(({ type, signature }) => type !== 'thought' || Boolean(signature));
const withoutThoughts = (steps) => steps.filter(({ type }) => type !== 'thought');
const host = 'https://generativelanguage.googleapis.com';

/** Returns a gateway in front of an emulator that checks signatures, and the bodies that it gets. */
function start(options = {}, emulated = {}) {
  const emulator = createEmulator({ checkSignatures: true, ...emulated });
  const sent = [];
  const upstream = async (input, init) => {
    const request = new Request(input, init);
    sent.push({ url: request.url, method: request.method, text: await request.clone().text() });
    return emulator(request);
  };
  const gateway = createGateway({ upstream, ...options });
  /** Sends a body, an object or text, with the key of one caller. */
  const send = async (body, { path = '/v1beta/interactions', method = 'POST', headers } = {}) => {
    const given = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await gateway.fetch(host + path, {
      ...{ method, ...(body !== undefined && { body: given }) },
      headers: { 'content-type': 'application/json', 'x-goog-api-key': 'a-key', ...headers },
    });
    const text = await response.text();
    return { code: response.status, headers: response.headers, text, ...jsonOf(text) };
  };
  return { gateway, send, sent, bodies: () => sent.map(({ text }) => JSON.parse(text)) };
}

const jsonOf = (text) => (/^[{[]/.test(text) ? JSON.parse(text) : {});

/** Returns the steps that the events of a stream add up to. */
function stepsIn(text) {
  const steps = [];
  for (const [, data] of text.matchAll(/^data: (\{.*)$/gm)) {
    const { event_type: type, step, delta = {} } = JSON.parse(data);
    if (type === 'step.start') steps.push({ step: { ...step }, args: '' });
    const last = steps.at(-1);
    if (delta.type === 'text')
      (last.step.content ??= [{ type: 'text', text: '' }])[0].text += delta.text;
    if (delta.type === 'thought_summary') (last.step.summary ??= []).push(delta.content);
    if (delta.type === 'thought_signature') last.step.signature = delta.signature;
    if (delta.type === 'arguments_delta') last.args += delta.arguments;
  }
  return steps.map(({ step, args }) => (args ? { ...step, arguments: JSON.parse(args) } : step));
}

describe('what needs nothing', () => {
  test('passes byte for byte in both directions', async () => {
    const { send, sent } = start();
    const text = `{ "model" : "${model}", "store":false,\n "input":"H\\u00e9llo", "stream":true }`;
    const answer = await send(text);
    assert.equal(sent[0].text, text);
    const direct = await createEmulator()(`${host}/v1beta/interactions`, {
      method: 'POST',
      body: text,
    });
    assert.equal(answer.text, await direct.text());
    assert.equal(answer.headers.get('content-type'), 'text/event-stream');
    // The gateway reads tokens and signatures, so the answer must have them.
    await send(text, { path: '/v1/interactions?alt=sse&fields=id&$fields=id&key=a-key' });
    assert.equal(sent[1].url, `${host}/v1/interactions?alt=sse`);
  });

  test('stored interactions are read, cancelled and deleted', async () => {
    const { send, sent } = start();
    const { id } = await send({ model, input: 'Hello', background: true });
    const path = `/v1beta/interactions/${id}`;
    assert.equal((await send(undefined, { path, method: 'GET' })).status, 'in_progress');
    const cancelled = await send(undefined, {
      path: `${path}/cancel`,
      headers: { 'content-type': '' },
    });
    assert.equal(cancelled.status, 'cancelled');
    const events = await send(undefined, { path: `${path}?stream=true`, method: 'GET' });
    assert.match(events.text, /^event: interaction\.created\n/);
    assert.equal((await send(undefined, { path, method: 'DELETE' })).code, 200);
    const { code, error } = await send(undefined, { path, method: 'GET' });
    assert.deepEqual([code, error.code], [404, 'not_found']);
    assert.equal(sent[3].url, `${host}${path}?stream=true`);
  });
});

describe('thoughts that a client drops', () => {
  test('come back, of calls and of texts, and all other bytes stay', async () => {
    const { send, sent, bodies } = start();
    const input = [user(question)];
    const first = await send({ ...base, input });
    input.push(...withoutThoughts(first.steps), ...resultsOf(first.steps));
    const second = await send({ ...base, input });
    assert.equal(second.code, 200);
    assert.equal(second.headers.get('x-strata-restored'), '1');
    assert.deepEqual(bodies()[1].input[1], first.steps[0]);
    input.push(...withoutThoughts(second.steps), user('Thank you'));
    const third = await send({ ...base, input });
    assert.equal(third.headers.get('x-strata-restored'), '2');
    assert.deepEqual(
      bodies()[2].input.filter(({ type }) => type === 'thought'),
      [...[first.steps[0], second.steps[0]]],
    );
    const written = JSON.stringify({ ...base, input });
    let rest = sent[2].text;
    for (const { steps } of [first, second])
      rest = rest.replace(`${JSON.stringify(steps[0])},`, '');
    assert.equal(rest, written);
  });

  test('come back after a stream, and with a summary', async () => {
    const { send, bodies } = start();
    const input = [user(question)];
    const config = { generation_config: { thinking_summaries: 'auto' } };
    const { text } = await send({ ...base, ...config, input, stream: true });
    const calls = withoutThoughts(stepsIn(text));
    assert.equal(calls.length, 2);
    const summary = [{ type: 'text', text: 'What the client kept.' }];
    input.push({ type: 'thought', summary }, ...calls, ...resultsOf(calls));
    assert.equal((await send({ ...base, ...config, input })).code, 200);
    const [, thought, ...others] = bodies()[1].input;
    assert.deepEqual(thought.summary, summary);
    assert.ok(text.includes(thought.signature));
    assert.deepEqual(others, [...calls, ...resultsOf(calls)]);
  });

  test('are known from the other API, and the other way round', async () => {
    const { send, bodies } = start();
    const path = `/v1beta/models/${model}:generateContent`;
    const { name, description, parameters } = weather;
    const tools = [{ functionDeclarations: [{ name, description, parameters }] }];
    const asked = { role: 'user', parts: [{ text: question }] };
    const { candidates } = await send({ contents: [asked], tools }, { path });
    const { parts } = candidates[0].content;
    const calls = parts.map(({ functionCall: { id, args } }) => {
      return { type: 'function_call', id, name, arguments: args };
    });
    const input = [user(question), ...calls, ...resultsOf(calls)];
    assert.equal((await send({ ...base, input })).code, 200);
    assert.equal(bodies()[1].input[1].signature, parts[0].thoughtSignature);

    const other = 'What is the weather in Oslo and Bergen?';
    const { steps } = await send({ ...base, input: other });
    const named = steps.filter(({ type }) => type === 'function_call');
    const contents = [
      { role: 'user', parts: [{ text: other }] },
      {
        role: 'model',
        parts: named.map(({ id, arguments: args }) => ({ functionCall: { id, name, args } })),
      },
      {
        role: 'user',
        parts: named.map(({ id }) => ({ functionResponse: { id, name, response: {} } })),
      },
    ];
    assert.equal((await send({ contents, tools }, { path })).code, 200);
    assert.equal(bodies()[3].contents[1].parts[0].thoughtSignature, steps[0].signature);
  });

  test('are not those of another caller, and not of edited calls', async () => {
    const { send, sent } = start();
    const input = [user(question)];
    const { steps } = await send({ ...base, input });
    const kept = withoutThoughts(steps);
    const body = { ...base, input: [...input, ...kept, ...resultsOf(steps)] };
    const refused = await send(body, { headers: { 'x-goog-api-key': 'another-key' } });
    assert.deepEqual([refused.code, refused.error.code], [400, 'invalid_request']);
    assert.equal(sent[1].text, JSON.stringify(body));
    assert.equal(refused.error.details[0].fieldViolations[0].field, 'input[1]');
    const edited = kept.map((call) => ({
      ...call,
      id: `x${call.id}`,
      arguments: { city: 'Oslo' },
    }));
    const changed = { ...base, input: [...input, ...edited, ...resultsOf(edited)] };
    assert.equal((await send(changed)).code, 400);
  });

  test('leave steps that only this API has where they are', async () => {
    const { send, bodies } = start();
    const input = [user(question)];
    const { steps } = await send({ ...base, input });
    const search = { type: 'google_search_call', id: 's', arguments: { queries: ['a'] } };
    const calls = withoutThoughts(steps);
    const turn = [{ type: 'thought' }, search, ...calls];
    await send({ ...base, input: [...input, ...turn, ...resultsOf(steps)] });
    assert.deepEqual(bodies()[1].input.slice(1, 5), [steps[0], search, ...calls]);
  });

  test('do not come back where they have no certain place', async () => {
    const { send, sent } = start();
    const input = [user(question)];
    const { steps } = await send({ ...base, input });
    const full = JSON.stringify([...input, ...withoutThoughts(steps), ...resultsOf(steps)]);
    for (const before of [JSON.stringify([...input]), '"Hi"']) {
      const body = `{"model":"${model}","input":${before},"input":${full}}`;
      await send(body);
      const text = sent.at(-1).text;
      if (text !== body) assert.deepEqual(JSON.parse(text).input[1], steps[0]);
    }
  });

  test('replace a placeholder', async () => {
    const { send, bodies } = start();
    const { steps } = await send({ ...base, input: question });
    const placeholder = { type: 'thought', signature: 'skip_thought_signature_validator' };
    const turn = [placeholder, ...withoutThoughts(steps)];
    await send({ ...base, input: [user(question), ...turn, ...resultsOf(steps)] });
    assert.deepEqual(bodies()[1].input.slice(1, 4), steps);
  });

  test('get the placeholder if they are not known and the gateway may', async () => {
    const { send, bodies } = start({ placeholder: true });
    const call = { type: 'function_call', id: 'a', name: 'get_weather', arguments: {} };
    const input = [user('a'), call, ...resultsOf([call])];
    const { code, headers } = await send({ ...base, input });
    assert.deepEqual([code, headers.get('x-strata-placeholder')], [200, '1']);
    assert.equal(bodies()[0].input[1].signature, 'skip_thought_signature_validator');
  });
});

/** Answers with random texts and calls, each signature of them once. */
function inventAnswers(random) {
  let count = 0;
  const signature = () => btoa(`signature ${++count} of the invented model`.padEnd(60, '.'));
  const call = () => ({
    functionCall: {
      id: `c${++count}`,
      name: 'get_weather',
      args: { city: random.pick(['Oslo', 'Rome']) },
    },
  });
  const kinds = {
    text: () => [{ text: random.pick(['Yes.', 'No.']) }],
    signedText: () => [{ text: `Well ${count}`, thoughtSignature: signature() }],
    calls: () => [
      { ...call(), thoughtSignature: signature() },
      ...(random.chance(0.5) ? [call()] : []),
    ],
    textAndCall: () => [{ text: 'Let me see.' }, { ...call(), thoughtSignature: signature() }],
  };
  return () => ({
    parts: [
      ...(random.chance(0.4) ? [{ text: 'I think.', thought: true }] : []),
      ...kinds[random.pick(Object.keys(kinds))](),
    ],
  });
}

// STRATA_SEEDS=1000 runs more of them.
const seeds = Number(process.env.STRATA_SEEDS ?? 20);

test('random histories that lose thoughts arrive as the model gave them, and both APIs take them', async () => {
  const [checker, other] = [await loadChecker(), createEmulator()];
  const path = `/v1beta/models/${model}:generateContent`;
  let dropped = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const random = new Random(String(seed));
    const respond = inventAnswers(random);
    const { send, sent } = start({}, { respond, checkSignatures: false });
    const [full, kept] = [[], []];
    for (let round = 0; round < 8; round++) {
      const last = full.slice(1 + full.findLastIndex(({ type }) => /^user|result$/.test(type)));
      const results = resultsOf(last);
      const next = results.length > 0 ? results : [user(random.pick(['Hello', 'And?']))];
      full.push(...next);
      kept.push(...next);
      const stream = random.chance(0.5);
      const { code, text, steps = stepsIn(text) } = await send({ ...base, stream, input: kept });
      assert.equal(code, 200, `seed ${seed}, round ${round}: ${text}`);
      assert.deepEqual(saidIn(JSON.parse(sent.at(-1).text).input), saidIn(full), `seed ${seed}`);
      const { body } = checker.convert({ model, input: full }, { to: 'generateContent', model });
      assert.equal((await other(`${host}${path}`, { method: 'POST', body })).status, 200);
      full.push(...steps);
      const habit = random.pick(['keep', 'drop', 'unsign']);
      dropped += habit === 'keep' ? 0 : 1;
      for (const step of steps) {
        if (step.type !== 'thought' || habit === 'keep') kept.push(step);
        else if (habit === 'unsign') kept.push({ ...step, signature: undefined });
      }
    }
  }
  assert.ok(dropped > seeds);
});

describe('policies and refusals', () => {
  const [one, two] = ['a', 'b'].map((id) => ({
    ...{ type: 'function_call', id, name: 'get_weather', arguments: {} },
  }));
  const placeholder = { type: 'thought', signature: 'skip_thought_signature_validator' };
  const mixed = {
    ...base,
    input: [user('a'), placeholder, one, ...resultsOf([one]), two, ...resultsOf([two])],
  };

  test('repairs, rejects or observes', async () => {
    const { send, sent, bodies } = start();
    const repaired = await send(mixed);
    assert.equal(repaired.code, 200);
    assert.equal(repaired.headers.get('x-strata-repaired'), 'step.interleaved');
    assert.deepEqual(bodies()[0].input.slice(2, 4), [one, two]);
    const observed = await send(mixed, { headers: { 'x-strata-policy': 'observe' } });
    assert.deepEqual([observed.code, sent[1].text], [400, JSON.stringify(mixed)]);
    assert.match(observed.headers.get('x-strata-findings'), /step\.interleaved/);
    const strict = start({ policy: { interactions: 'reject' } });
    const { code, error } = await strict.send(mixed);
    assert.deepEqual([code, error.code, strict.sent.length], [400, 'invalid_request', 0]);
    assert.match(error.message, /\/input\/4: A function_call follows a function_result/);
    assert.equal(error.details[0].reason, 'step.interleaved');
  });

  test('has the form of this API for its own refusals', async () => {
    const { gateway } = start({ apiKey: 'key-of-the-gateway' });
    const response = await gateway.handle(
      new Request(`${host}/v1/interactions`, { method: 'POST', body: '{}' }),
    );
    const { error } = await response.json();
    assert.deepEqual([response.status, error.code], [401, 'authentication']);
    assert.equal(error.details[0].reason, 'caller.unconfigured');
    const small = start({ maxBodyValues: 5 });
    assert.equal((await small.send(mixed)).error.details[0].reason, 'size.too_many_values');
    const deep = `{"model":"${model}","input":${'['.repeat(300)}${']'.repeat(300)}}`;
    assert.equal((await start().send(deep)).error.details[0].reason, 'json.too_deep');
    assert.equal((await start().send('{"input":')).error.code, 'invalid_request');
    const vertex = start({ vertexai: { project: 'p', location: 'global', token: 't' } });
    assert.equal((await vertex.send(mixed)).error.details[0].reason, 'route.unknown');
  });

  test('offers the listed models and agents only', async () => {
    const { send } = start({ models: [model] });
    assert.equal((await send({ model: `models/${model}`, input: 'Hi' })).code, 200);
    const agent = 'deep-research-preview-04-2026';
    for (const body of [
      { model: 'gemini-3.5-flash', input: 'Hi' },
      { agent, input: 'Hi', background: true },
      { model, agent, input: 'Hi' },
    ])
      assert.equal((await send(body)).error.details[0].reason, 'model.not_offered');
    for (const twice of [
      `{"model":"gemini-3.5-flash","model":"${model}","input":"Hi"}`,
      `{"\\u0061gent":"${agent}","agent":"${model}","input":"Hi","background":true}`,
    ])
      assert.equal((await send(twice)).error.details[0].reason, 'json.invalid');
  });

  test('counts tokens, names the route in metrics and log, and keeps its key out of errors', async () => {
    const lines = [];
    const { gateway, send, sent } = start({
      ...{ adminKey: 'admin', apiKey: 'key-of-the-gateway', log: (line) => lines.push(line) },
    });
    const { usage } = await send({ model, input: 'Hello' });
    await send({ model, input: 'Hello', stream: true });
    assert.equal(sent.length, 2);
    const logged = JSON.parse(lines[0]);
    assert.deepEqual(
      [logged.route, logged.model, logged.inputTokens, logged.outputTokens],
      [
        ...['interactions', model, usage.total_input_tokens],
        usage.total_output_tokens + usage.total_thought_tokens,
      ],
    );
    const headers = { authorization: 'Bearer admin' };
    const metrics = await gateway.handle(
      new Request('https://gateway.example/metrics', { headers }),
    );
    const text = await metrics.text();
    assert.match(text, /requests_total\{route="interactions",status="200"\} 2/);
    assert.match(
      text,
      new RegExp(`tokens_total\\{kind="input",model="${model}"\\} ${2 * usage.total_input_tokens}`),
    );
  });

  test('notes an answer that breaks off or holds an error', async () => {
    const lines = [];
    const faults = [{ kind: 'cut-stream' }, { kind: 'mid-stream-error' }];
    const { send } = start({ log: (line) => lines.push(JSON.parse(line)) }, { faults });
    await send({ model, input: 'Hello', stream: true });
    await send({ model, input: 'Hello', stream: true });
    assert.deepEqual(
      lines.map(({ error }) => error),
      ['answer.cut', 'api.service_unavailable'],
    );
  });
});

test('@google/genai runs tools through the gateway, with a history that lost its thoughts', async () => {
  const emulator = createEmulator({ checkSignatures: true });
  const lines = [];
  const gateway = createGateway({
    upstream: emulator,
    log: (line) => lines.push(JSON.parse(line)),
  });
  const server = await serve(gateway.handle);
  try {
    const httpOptions = { baseUrl: server.url };
    const { interactions } = new GoogleGenAI({ apiKey: 'any-key-of-a-caller', httpOptions });
    const input = [user(question)];
    const first = await interactions.create({ ...base, input });
    assert.equal(first.status, 'requires_action');
    input.push(...withoutThoughts(first.steps), ...resultsOf(first.steps));
    const events = [];
    for await (const event of await interactions.create({ ...base, input, stream: true }))
      events.push(event);
    assert.equal(events.at(-1).interaction.status, 'completed');
    const text = events
      .flatMap(({ delta }) => (delta?.type === 'text' ? [delta.text] : []))
      .join('');
    assert.match(text, /get_weather for Rome answered sky clear/);
    input.push({ type: 'model_output', content: [{ type: 'text', text }] }, user('And in Oslo?'));
    assert.equal((await interactions.create({ ...base, input })).status, 'completed');
    const stored = await interactions.create({ model, tools: [weather], input: question });
    const follow = { previous_interaction_id: stored.id, input: resultsOf(stored.steps) };
    const answered = await interactions.create({ model, tools: [weather], ...follow });
    assert.equal(answered.output_text, text);
    await interactions.delete(stored.id);
    const error = await interactions.get(stored.id).catch((reason) => reason);
    assert.equal(error.status, 404);
    assert.deepEqual(
      lines.map(({ route, status, error: code }) => [route, status, code]),
      [
        ...Array.from({ length: 6 }, () => ['interactions', 200, undefined]),
        ['interactions', 404, undefined],
      ],
    );
    assert.deepEqual(
      lines.map(({ restored = 0 }) => restored),
      [0, 1, 2, 0, 0, 0, 0],
    );
  } finally {
    await server.close();
  }
});
