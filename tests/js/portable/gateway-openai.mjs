// OpenAI's chat completions through prompt-strata/gateway, in front of an emulator as strict as Gemini 3.8.
import { deepEqual, equal, match, ok } from './assert.mjs';

const model = 'gemini-3.8-flash';
const host = 'https://gateway.example';
const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const tools = [
  { type: 'function', function: { name: 'weather', description: 'Tells it', parameters } },
];
const user = (content) => ({ role: 'user', content });
const call = (city) => ({ functionCall: { name: 'weather', args: { city } } });
const signed = (part, signature) => ({ ...part, thoughtSignature: btoa(signature) });
const script = [
  [signed(call('Oslo'), 'first call')],
  [signed(call('Bergen'), 'second call'), call('Bodø')],
  [{ text: 'It rains.' }],
];

function setup({ createEmulator, gateway: { createGateway } }, options = {}) {
  const bodies = [];
  const respond = ({ index }) => ({ parts: script[(index - 1) % script.length] });
  const emulator = createEmulator({ respond });
  const upstream = (url, init) => {
    bodies.push(init.body && JSON.parse(new TextDecoder().decode(new Uint8Array(init.body))));
    return emulator(url, init);
  };
  const gateway = createGateway({ upstream, ...options });
  const post = (body, path = '/v1/chat/completions', headers = {}) =>
    gateway.handle(
      new Request(host + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer sk-1', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify({ model, ...body }),
      }),
    );
  return { post, bodies };
}

/** Keeps of a message what clients know that have never heard of Gemini. */
const careless = ({ role, content, tool_calls: calls }) => ({
  ...{ role, content },
  ...(calls && {
    tool_calls: calls.map((each) => ({ id: each.id, type: each.type, function: each.function })),
  }),
});

async function readMessage(response) {
  equal(response.status, 200, await response.clone().text());
  return (await response.json()).choices[0].message;
}

const eventsOf = (text) =>
  text
    .split('\n\n')
    .filter(Boolean)
    .map((each) => each.slice('data: '.length));

/** Reads a stream as a client joins it. */
async function readStreamed(response) {
  equal(response.status, 200, await response.clone().text());
  match(response.headers.get('content-type'), /^text\/event-stream/);
  const events = eventsOf(await response.text());
  equal(events.pop(), '[DONE]');
  const chunks = events.map((each) => JSON.parse(each));
  const deltas = chunks.flatMap(({ choices }) => choices[0]?.delta ?? []);
  const calls = deltas.flatMap((delta) => delta.tool_calls ?? []);
  return {
    ...{ role: 'assistant', content: deltas.map(({ content }) => content ?? '').join('') || null },
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

const result = ({ id }) => ({ role: 'tool', tool_call_id: id, content: '{"sky":"grey"}' });

const signaturesOf = ({ contents }) =>
  contents.flatMap(({ parts }) => parts.flatMap((part) => part.thoughtSignature ?? []));

export default [
  ...[false, true].map((isStream) => ({
    name: `a client that knows no signatures passes two tool steps, ${isStream ? 'streamed' : 'unary'}`,
    async run(strata) {
      const { post, bodies } = setup(strata);
      const messages = [user('How is the weather?')];
      const restored = [];
      for (;;) {
        const response = await post({ messages, tools, stream: isStream });
        restored.push(response.headers.get('x-strata-restored'));
        equal(response.headers.get('x-strata-placeholder'), null);
        const message = careless(await (isStream ? readStreamed : readMessage)(response));
        messages.push(message);
        if (!message.tool_calls) break;
        ok(message.tool_calls.every(({ id }) => /^[a-zA-Z0-9_-]{1,40}$/.test(id)));
        messages.push(...message.tool_calls.map(result));
      }
      deepEqual(restored, [null, '1', '2']);
      deepEqual(
        signaturesOf(bodies.at(-1)),
        ['first call', 'second call'].map((each) => btoa(each)),
      );
      equal(messages.at(-1).content, 'It rains.');
    },
  })),
  {
    name: 'functions whose names Gemini refuses are renamed, and named back in calls',
    async run(strata) {
      const long = `mcp__${'a'.repeat(70)}`;
      const names = [long, `${long}b`, 'get weather', 'weather'];
      const asked = names.map((name) => ({ type: 'function', function: { name, parameters } }));
      for (const stream of [false, true]) {
        const bodies = [];
        const upstream = async (url, init) => {
          bodies.push(JSON.parse(new TextDecoder().decode(new Uint8Array(init.body))));
          const [{ functionDeclarations }] = bodies.at(-1).tools;
          const parts = functionDeclarations.map(({ name }) => ({
            functionCall: { name, args: {} },
          }));
          const value = {
            candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
          };
          const text = JSON.stringify(value);
          return new Response(stream ? `data: ${text}\n\n` : text);
        };
        const { post } = setup(strata, { upstream });
        const response = await post({ messages: [user('Hi')], tools: asked, stream });
        equal(response.headers.get('x-strata-findings'), 'import.converted');
        const message = await (stream ? readStreamed : readMessage)(response);
        deepEqual(
          message.tool_calls.map((each) => each.function.name),
          names,
        );
        const messages = [user('Hi'), message, ...message.tool_calls.map(result)];
        await (await post({ messages, tools: asked, stream })).text();
        const [first, second] = bodies;
        const declared = first.tools[0].functionDeclarations.map(({ name }) => name);
        ok(declared.every((name) => /^[a-zA-Z_][\w.:-]{0,63}$/.test(name)));
        equal(new Set(declared).size, names.length);
        deepEqual(
          second.contents[1].parts.map((part) => part.functionCall.name),
          declared,
        );
        deepEqual(
          second.contents[2].parts.map((part) => part.functionResponse.name),
          declared,
        );
      }
    },
  },
  {
    name: 'a stream ends with its usage where the client asks for it',
    async run(strata) {
      const { post } = setup(strata);
      const options = { stream: true, stream_options: { include_usage: true } };
      const response = await post({ messages: [user('Hi')], tools, ...options });
      const chunks = eventsOf(await response.text()).slice(0, -1);
      const { choices, usage } = JSON.parse(chunks.at(-1));
      deepEqual(choices, []);
      ok(usage.prompt_tokens > 0 && usage.total_tokens > usage.prompt_tokens);
    },
  },
  {
    name: 'requests that have no equivalent are refused with a path, in the form of OpenAI',
    async run(strata) {
      const { post, bodies } = setup(strata);
      const wrong = await post({ messages: [{ role: 'nobody', content: 'Hi' }] });
      equal(wrong.status, 400);
      const { error } = await wrong.json();
      deepEqual([error.type, error.param], ['invalid_request_error', 'messages[0].role']);
      equal((await post('{"messages":')).status, 400);
      equal((await post('['.repeat(2000))).status, 400);
      equal((await post({ model: 'gemini 3', messages: [user('Hi')] })).status, 400);
      equal(bodies.length, 0);
    },
  },
  {
    name: 'a rejected request names the place of its first error, whatever else was found',
    async run(strata) {
      const { post } = setup(strata);
      const unsigned = {
        id: 'a',
        type: 'function',
        function: { name: 'weather', arguments: '{}' },
      };
      const messages = [
        user('Hi'),
        { role: 'assistant', tool_calls: [unsigned] },
        { role: 'tool', tool_call_id: 'a', content: 'rain' },
      ];
      const body = { messages, tools, temperature: 0.2 };
      const rejected = await post(body, undefined, { 'x-strata-policy': 'reject' });
      const { error } = await rejected.json();
      deepEqual([error.code, error.param], ['signature.missing', 'contents[1].parts[0]']);
    },
  },
  {
    name: 'what is left out or converted is in the header, also where it changes nothing',
    async run(strata) {
      const { post } = setup(strata);
      const codesOf = async (more) => {
        const response = await post({ messages: [user('Hi')], ...more });
        equal(response.status, 200);
        return response.headers.get('x-strata-findings');
      };
      equal(await codesOf({}), null);
      equal(await codesOf({ user: 'me' }), 'import.left_out');
      equal(await codesOf({ logit_bias: { 5: 1 } }), 'import.left_out');
      equal(await codesOf({ seed: 2 ** 40 }), 'import.converted');
    },
  },
  {
    name: 'errors of the upstream keep their status and text',
    async run(strata) {
      const { post } = setup(strata);
      const unknown = await post(
        { model: 'gpt-9', messages: [user('Hi')] },
        '/v1beta/openai/chat/completions',
      );
      equal(unknown.status, 404);
      const { error } = await unknown.json();
      match(error.message, /models\/gpt-9 is not found/);
      equal(error.code, 'NOT_FOUND');
      const options = { memory: false };
      const strict = setup(strata, options);
      const first = careless(
        await readMessage(await strict.post({ messages: [user('Hi')], tools })),
      );
      const messages = [user('Hi'), first, ...first.tool_calls.map(result)];
      const refused = await strict.post({ messages, tools });
      equal(refused.status, 400);
      const { error: reason } = await refused.json();
      match(reason.message, /missing a thought_signature/);
      deepEqual(Object.keys(reason), ['message', 'type', 'param', 'code', 'details']);
      deepEqual([reason.type, reason.code], ['invalid_request_error', 'INVALID_ARGUMENT']);
      const known = reason.details.find((each) => each['@type'] === 'prompt-strata/Diagnostics');
      ok(known.diagnostics.some(({ code }) => code === 'signature.missing'));
      deepEqual(Object.keys(error), ['message', 'type', 'param', 'code']);
    },
  },
  {
    name: 'an answer that cannot be read is a 502, and a stream that breaks off ends with an error',
    async run(strata) {
      const half =
        'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"Hal"}]}}]}\n\n';
      const upstream = async (url) =>
        new Response(String(url).includes('stream') ? half : '<html>');
      const { post } = setup(strata, { upstream });
      const garbage = await post({ messages: [user('Hi')] });
      equal(garbage.status, 502);
      equal((await garbage.json()).error.type, 'server_error');
      const events = eventsOf(await (await post({ messages: [user('Hi')], stream: true })).text());
      match(events.join(), /Hal/);
      match(events.join(), /"error"/);
    },
  },
];
