// The emulator's Interactions API: the unmodified client of Google, state, streams, refusals, and conversations that
// change between the two APIs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after, describe } from 'node:test';
import { GoogleGenAI } from '@google/genai';
import { loadChecker } from 'prompt-strata/check';
import { serve } from 'prompt-strata/node';
import { createEmulator } from 'prompt-strata/testing';
import { missingFrom, sharedPath } from '../support/shared-folder.mjs';
import { question, resultsOf, user, weather } from '../support/weather-steps.mjs';

const model = 'gemini-3.8-flash';
const typesOf = (steps) => steps.map(({ type }) => type).join();

const checker = await loadChecker();
const servers = [];
after(() => Promise.all(servers.map((server) => server.close())));

/** Returns Google's client of a new emulator. */
async function clientOf(options) {
  const server = await serve(createEmulator({ checkSignatures: true, ...options }));
  servers.push(server);
  const ai = new GoogleGenAI({ apiKey: 'any-key', httpOptions: { baseUrl: server.url } });
  return ai.interactions;
}

/** Sends one request to an emulator, and returns the status of HTTP as `code` with the answer. */
async function send(emulator, body, path = '/v1beta/interactions', method = 'POST') {
  const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await emulator(`https://example.com${path}`, init);
  const text = await response.text();
  return { code: response.status, text, ...(text.startsWith('{') && JSON.parse(text)) };
}

/** Returns the events of a stream. Each has its name twice. */
function eventsIn(text) {
  const frames = text.split('\n\n').filter((frame) => frame !== '');
  assert.equal(frames.pop(), 'event: done\ndata: [DONE]');
  return frames.map((frame) => {
    const [, name, data] = /^event: (.+)\ndata: (.+)$/.exec(frame);
    const event = JSON.parse(data);
    assert.equal(event.event_type, name);
    return event;
  });
}

describe('@google/genai', () => {
  test('creates, gets and deletes', async () => {
    const interactions = await clientOf();
    const created = await interactions.create({ model, input: 'Hello' });
    assert.equal(created.status, 'completed');
    assert.match(created.output_text, /emulator of prompt-strata/);
    assert.equal(typesOf(created.steps), 'thought,model_output');
    const { usage } = created;
    const { total_input_tokens: input, total_output_tokens: output, total_tokens: all } = usage;
    assert.equal(all, input + output + usage.total_thought_tokens);
    assert.deepEqual(usage.input_tokens_by_modality, [{ modality: 'text', tokens: input }]);
    const stored = await interactions.get(created.id);
    assert.equal(typesOf(stored.steps), 'user_input,thought,model_output');
    await interactions.delete(created.id);
    await assert.rejects(interactions.get(created.id), { status: 404 });
  });

  test('runs tools without state, and with it', async () => {
    const interactions = await clientOf();
    const base = { model, tools: [weather] };
    const input = [user(question)];
    const first = await interactions.create({ ...base, input, store: false });
    assert.equal(first.id, undefined);
    assert.equal(first.status, 'requires_action');
    assert.equal(typesOf(first.steps), 'thought,function_call,function_call');
    assert.deepEqual(first.steps[1].arguments, { city: 'Paris' });
    input.push(...first.steps, ...resultsOf(first.steps));
    const second = await interactions.create({ ...base, input, store: false });
    assert.match(second.output_text, /get_weather for Paris answered sky clear/);
    input.push(...second.steps, user('Thank you'));
    assert.equal((await interactions.create({ ...base, input, store: false })).status, 'completed');

    const asked = await interactions.create({ ...base, input: question });
    const answered = await interactions.create({
      ...{ ...base, previous_interaction_id: asked.id, input: resultsOf(asked.steps) },
    });
    assert.equal(answered.previous_interaction_id, asked.id);
    assert.equal(answered.output_text, second.output_text);
    const later = { ...base, previous_interaction_id: answered.id, input: 'Thank you' };
    assert.equal((await interactions.create(later)).status, 'completed');
    const unanswered = { ...base, previous_interaction_id: asked.id, input: 'Well?' };
    await assert.rejects(interactions.create(unanswered), { status: 400 });
  });

  test('streams what a whole answer holds', async () => {
    const interactions = await clientOf();
    const config = { thinking_summaries: 'auto' };
    const request = { model, tools: [weather], input: question, generation_config: config };
    const whole = await interactions.create({ ...request, store: false });
    const types = [];
    const read = { signature: '', summary: '', args: [] };
    for await (const event of await interactions.create({ ...request, stream: true })) {
      types.push(event.event_type);
      const { delta } = event;
      if (event.event_type === 'step.start') read.args.push('');
      if (delta?.type === 'thought_signature') read.signature += delta.signature;
      if (delta?.type === 'thought_summary') read.summary += delta.content.text;
      if (delta?.type === 'arguments_delta') read.args[read.args.length - 1] += delta.arguments;
    }
    const [thought, ...calls] = whole.steps;
    assert.equal(read.signature, thought.signature);
    assert.equal(read.summary, thought.summary[0].text);
    assert.deepEqual(
      read.args.slice(1).map(JSON.parse),
      calls.map((call) => call.arguments),
    );
    assert.deepEqual(types.slice(0, 3), [
      ...['interaction.created', 'interaction.status_update', 'step.start'],
    ]);
    assert.equal(types.at(-1), 'interaction.completed');
  });

  test('polls and cancels what runs in the background, and resumes its stream', async () => {
    const interactions = await clientOf();
    const request = { model, input: 'Hello', background: true };
    const { id, status, steps } = await interactions.create(request);
    assert.deepEqual([status, steps], ['in_progress', []]);
    const followed = interactions.create({ model, input: 'And?', previous_interaction_id: id });
    await assert.rejects(followed, { status: 400 });
    assert.equal((await interactions.get(id)).status, 'in_progress');
    assert.equal((await interactions.get(id)).status, 'completed');
    await assert.rejects(interactions.cancel(id), { status: 400 });
    const running = await interactions.create(request);
    assert.equal((await interactions.cancel(running.id)).status, 'cancelled');
    assert.equal((await interactions.get(running.id)).status, 'cancelled');

    const events = [];
    for await (const event of await interactions.create({ ...request, stream: true }))
      events.push(event);
    const streamed = events[0].interaction.id;
    const options = { stream: true, last_event_id: events[3].event_id };
    const rest = [];
    for await (const event of await interactions.get(streamed, options)) rest.push(event);
    assert.deepEqual(rest, events.slice(4));
  });

  test('gets errors with their status', async () => {
    const faults = [
      { kind: 'http429' },
      { kind: 'http500' },
      { kind: 'http503' },
      { kind: 'blocked' },
    ];
    const interactions = await clientOf({ faults });
    const options = { retries: { strategy: 'none' } };
    for (const [status, text] of [
      [429, /rate_limit_exceeded/],
      [500, /api_error/],
      [503, /service_unavailable/],
      [400, /content_blocked/],
    ]) {
      const error = await interactions.create({ model, input: 'Hi' }, options).catch((e) => e);
      assert.equal(error.status, status);
      assert.match(JSON.stringify(error) + error.message, text);
    }
    await assert.rejects(interactions.create({ model: 'gpt-5', input: 'Hi' }, options), {
      status: 404,
    });
  });
});

const thought = (emulated) => ({ type: 'thought', signature: emulated });
const call = { type: 'function_call', id: 'a', name: 'get_weather', arguments: {} };
const result = { type: 'function_result', call_id: 'a', name: 'get_weather', result: {} };
const placeholder = thought('skip_thought_signature_validator');
const mute = 'Request contains an invalid argument.';
const picture = { type: 'image', data: 'aGk=', mime_type: 'image/png' };

/** What the API refuses, and its words. */
const refusals = {
  'calls without a thought': [[user('a'), call, result], mute],
  'an unsigned opening thought': [
    [user('a'), { type: 'thought' }, placeholder, call, result],
    mute,
  ],
  'a changed signature': [[user('a'), thought('c2lnbmVk'), call, result], mute],
  'calls and results that alternate': [
    [user('a'), placeholder, call, result, { ...call, id: 'b' }, { ...result, call_id: 'b' }],
    mute,
  ],
  'two calls with one id': [[user('a'), placeholder, call, call, result, result], mute],
  'a call at the beginning': [
    [placeholder, call, result],
    'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
  ],
  'text in front of a summary': [
    [
      ...[user('a'), { ...user('b'), type: 'model_output' }],
      { ...placeholder, summary: [{ type: 'text', text: 'hm' }] },
      ...[call, result],
    ],
    'Model turns with thought summaries must start with a thought block in thinking models',
  ],
  'turns of the beta': [
    [{ role: 'user', content: 'a' }],
    'When using the steps-based API version, use step_list input format instead of turn_list.',
  ],
  'types of OpenAI': [
    [{ type: 'user_input', content: [{ type: 'input_text', text: 'a' }] }],
    "The value 'input_text' is not supported for 'type' at 'input[0].content[0]'",
  ],
  'a result in a message without call_id': [
    [
      user('a'),
      placeholder,
      call,
      { type: 'user_input', content: [{ ...result, call_id: undefined }] },
    ],
    'Missing call_id in content of type function_result.',
  ],
  'a result without name': [
    [user('a'), placeholder, call, { ...result, name: undefined }],
    'Missing name in content of type function_result',
  ],
  'a number as result': [
    [user('a'), placeholder, call, { ...result, result: 5 }],
    "'result' must be a Struct, FunctionResultSubcontent[], or string",
  ],
  'an empty text': [[user('')], 'Missing text in content of type text.'],
  'an empty input': [[], 'Request has empty input'],
  'the form of generateContent': [
    [
      {
        type: 'user_input',
        content: [
          { type: 'image', inlineData: {} },
          { type: 'text', text: 'a' },
        ],
      },
    ],
    /^Unknown parameter 'inlineData' at 'input\[0\]\.content\[0\]'/,
  ],
  'an unknown field': [
    { input: 'a', completely_unknown_field: 1 },
    "Unknown parameter 'completely_unknown_field'.",
  ],
  'a field in camelCase': [
    { input: 'a', generation_config: { topP: 1 } },
    "Unknown parameter 'generation_config.topP'. Did you mean 'top_p'?",
  ],
  'an image in a result, for an old model': [
    {
      model: 'gemini-2.5-flash',
      input: [user('a'), placeholder, call, { ...result, result: [picture] }],
    },
    'Multimodal function responses are not supported for this model',
  ],
  'a second turn of a speech model': [
    {
      model: 'gemini-3.1-flash-tts-preview',
      input: [user('a'), { ...user('b'), type: 'model_output' }, user('c')],
    },
    'Multiturn chat is not enabled for this model',
  ],
  'an agent in the foreground': [
    { model: undefined, agent: 'deep-research-preview-04-2026', input: 'a' },
    'background=true is required for agent interactions.',
  ],
  'PNG as answer': [
    { input: 'a', response_format: { type: 'image', mime_type: 'image/png' } },
    "The value 'image/png' is not supported for 'response_format.mime_type'. Supported values: 'image/jpeg'.",
  ],
  'a tool of another API': [
    { input: 'a', tools: [{ type: 'web_search' }] },
    /^The value 'web_search' is not supported for 'type' at 'tools\[0\]'/,
  ],
};

describe('refusals', () => {
  const emulator = createEmulator({ checkSignatures: true });
  for (const [name, [given, words]] of Object.entries(refusals))
    test(name, async () => {
      const body = Array.isArray(given) ? { model, input: given } : { model, ...given };
      const { code, error } = await send(emulator, body);
      assert.deepEqual(Object.keys(error), ['code', 'message']);
      assert.deepEqual([code, error.code], [400, 'invalid_request']);
      if (typeof words === 'string') assert.equal(error.message, words);
      else assert.match(error.message, words);
    });

  test('v1 takes less, and unknown fields pass if they may', async () => {
    const body = { model, input: [{ type: 'text', text: 'a' }, picture] };
    assert.equal((await send(emulator, body)).code, 200);
    const { error } = await send(emulator, body, '/v1/interactions');
    assert.match(error.message, /^The value '(?:text|image)' is not supported for 'type'/);
    const lenient = createEmulator({ unknownFields: 'accept' });
    assert.equal((await send(lenient, { model, input: 'a', newer_field: 1 })).code, 200);
  });

  test('a key is refused in the older form, and a missing interaction in the newer one', async () => {
    const refusing = createEmulator({ apiKey: 'right' });
    const { code, text } = await send(refusing, { model, input: 'a' }, '/v1/interactions?key=no');
    assert.deepEqual([code, JSON.parse(text)[0].error.status], [400, 'INVALID_ARGUMENT']);
    for (const [method, path] of [
      ['GET', '/v1beta/interactions/v1_none'],
      ['DELETE', '/v1beta/interactions/v1_none'],
      ['POST', '/v1beta/interactions/v1_none/cancel'],
    ])
      assert.equal((await send(emulator, undefined, path, method)).error.code, 'not_found');
    const follow = { model, input: 'a', previous_interaction_id: 'v1_none' };
    assert.equal((await send(emulator, follow)).error.code, 'not_found');
  });
});

describe('answers', () => {
  test('end with the status that a fault leads to', async () => {
    const kinds = ['max-tokens', 'finish', 'malformed-call', 'empty'];
    const emulator = createEmulator({ faults: kinds.map((kind) => ({ kind })) });
    const answers = [];
    for (const input of kinds) answers.push(await send(emulator, { model, input }));
    assert.deepEqual(
      answers.map(({ status, errors = [] }) => [status, ...errors.map(({ code }) => code)]),
      [['incomplete'], ['failed', 'safety'], ['failed', 'malformed_function_call'], ['completed']],
    );
  });

  test('without content have no steps, and the status of their finishReason', async () => {
    for (const [finishReason, status] of [
      ['SAFETY', 'failed'],
      ['STOP', 'completed'],
      ['MAX_TOKENS', 'incomplete'],
    ]) {
      const emulator = createEmulator({
        respond: () => ({ chunks: [{ candidates: [{ finishReason, index: 0 }] }] }),
      });
      const whole = await send(emulator, { model, input: 'a' });
      const { text } = await send(emulator, { model, input: 'a', stream: true });
      const { interaction } = eventsIn(text).at(-1);
      assert.deepEqual([whole.status, interaction.status], [status, status]);
      assert.deepEqual([whole.steps, whole.errors], [[], interaction.errors]);
    }
  });

  test('break in a stream as planned', async () => {
    const faults = [{ kind: 'mid-stream-error' }, { kind: 'cut-stream' }];
    const emulator = createEmulator({ faults });
    const body = { model, input: 'Hello', stream: true };
    const events = (await send(emulator, body)).text.split('\n\n').slice(0, -1);
    assert.match(events.at(-1), /^event: error\ndata: \{"error":\{"code":"service_unavailable"/);
    const { text } = await send(emulator, body);
    assert.match(text, /event: interaction\.completed\ndata: [^\n]+$/);
    assert.throws(() => JSON.parse(text.slice(text.lastIndexOf('data: ') + 6)));
  });

  const recorded = sharedPath('interactions', 'tool-call-step1.chunks.txt');
  const skip = missingFrom('recorded answers', 'interactions');
  test('stream the events that were recorded, with their fields', { skip }, async () => {
    const lines = readFileSync(recorded, 'utf8').trim().split('\n');
    const input = 'What is the weather in Paris?';
    const { text } = await send(createEmulator(), { model, tools: [weather], input, stream: true });
    // Pieces of arguments are one delta, and a recorded call has an empty signature, which newer ones do not have.
    const formOf = ({ step = {}, delta = {}, interaction = {}, ...event }) =>
      [
        event.event_type,
        ...[event, step, delta, interaction].map((each) =>
          Object.keys(each)
            .filter((name) => name !== 'signature' || each === delta)
            .sort(),
        ),
      ].join(' ');
    const formsOf = (events) => events.map(formOf).filter((form, i, all) => form !== all[i - 1]);
    assert.deepEqual(formsOf(eventsIn(text)), formsOf(lines.map((line) => JSON.parse(line))));
  });

  test('are the same for the same request, have no id if they are not stored, and can be scripted', async () => {
    const body = { model, tools: [weather], input: question, store: false, stream: true };
    const [one, other] = [await send(createEmulator(), body), await send(createEmulator(), body)];
    assert.equal(one.text, other.text);
    const [created] = eventsIn(one.text);
    assert.equal(created.interaction.id, '');
    const asked = [];
    const respond = (request) => {
      asked.push(request);
      return { parts: [{ text: 'As written.' }] };
    };
    const { steps } = await send(createEmulator({ respond }), { model, input: 'Hi' });
    assert.equal(steps[1].content[0].text, 'As written.');
    assert.deepEqual(asked[0].body.contents, [{ role: 'user', parts: [{ text: 'Hi' }] }]);
    const chunks = [
      ['A', {}],
      ['B', { finishReason: 'STOP' }],
    ].map(([text, end]) => ({
      candidates: [{ content: { role: 'model', parts: [{ text }] }, ...end }],
    }));
    const recorded = await send(createEmulator({ respond: () => ({ chunks }) }), {
      model,
      input: 'Hi',
    });
    assert.equal(recorded.steps[1].content.map(({ text }) => text).join(''), 'AB');
  });

  test('come without a signature where a fault says so, which the next request is refused for', async () => {
    const emulator = createEmulator({ faults: [{ kind: 'unsigned' }] });
    const input = [user(question)];
    const { steps } = await send(emulator, { model, tools: [weather], input });
    assert.deepEqual(steps[0], { type: 'thought' });
    input.push(...steps, ...resultsOf(steps));
    assert.equal((await send(emulator, { model, tools: [weather], input })).error.message, mute);
  });
});

test('a signature may stand on an opening thought, too, and not changed', async () => {
  const emulator = createEmulator({ checkSignatures: true });
  const input = [user('What is the weather in Paris?')];
  const { steps } = await send(emulator, { model, tools: [weather], input });
  const [signed, ...calls] = steps;
  const changed = { ...signed, signature: signed.signature.replace('c', 'd') };
  const statuses = [];
  for (const opening of [
    [signed],
    [signed, { ...user('Yes'), type: 'model_output' }, signed],
    [changed],
  ]) {
    const request = { model, input: [...input, ...opening, ...calls, ...resultsOf(steps)] };
    statuses.push((await send(emulator, { ...request, tools: [weather] })).code);
    const { body } = checker.convert(request, { to: 'generateContent', model });
    const path = `/v1beta/models/${model}:generateContent`;
    statuses.push((await send(emulator, JSON.parse(new TextDecoder().decode(body)), path)).code);
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 400, 400]);
});

describe('a conversation with signed parallel calls', () => {
  const emulator = createEmulator({ checkSignatures: true });
  const convert = (body, to) => {
    const converted = checker.convert(body, { to, model });
    assert.equal(converted.ok, true);
    return JSON.parse(new TextDecoder().decode(converted.body));
  };
  const withTool = convert({ model, tools: [weather], input: question }, 'generateContent');
  const generate = async (contents) => {
    const { tools } = withTool;
    const path = `/v1beta/models/${model}:generateContent`;
    const { code, candidates } = await send(emulator, { contents, tools }, path);
    assert.equal(code, 200);
    return candidates[0].content;
  };
  const interact = async (input) => {
    const { steps } = await send(emulator, { model, input, tools: [weather], store: false });
    assert.ok(steps);
    return steps;
  };

  test('moves from generateContent to interactions and back', async () => {
    const contents = [...withTool.contents];
    const calls = await generate(contents);
    const results = calls.parts.map(({ functionCall: { id, name } }) => ({
      functionResponse: { id, name, response: { sky: 'clear' } },
    }));
    contents.push(calls, { role: 'user', parts: results });
    const input = convert(contents, 'interactions');
    assert.equal(input[1].signature, calls.parts[0].thoughtSignature);
    assert.equal(typesOf(input.slice(1, 4)), 'thought,function_call,function_call');
    // Each state of the history is accepted by both.
    await generate(contents);
    input.push(...(await interact(input)), user('What is the weather in Oslo and Bergen?'));
    await generate(convert(input, 'generateContent'));
    const again = await interact(input);
    input.push(...again, ...resultsOf(again));
    await interact(input);
    const back = convert(input, 'generateContent');
    const signed = back.at(-2).parts.map(({ thoughtSignature }) => thoughtSignature);
    assert.deepEqual(signed, [again[0].signature, undefined]);
    back.push(await generate(back), { role: 'user', parts: [{ text: 'Thank you' }] });
    await generate(back);
    await interact(convert(back, 'interactions'));
  });
});
