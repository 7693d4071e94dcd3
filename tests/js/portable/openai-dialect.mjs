// OpenAI's chat completions through prompt-strata/gateway, in front of an emulator as strict as Gemini 3.8.
import { deepEqual, equal, match, ok } from './assert.mjs';
import { call, signed, strictGateway } from './strict-gateway.mjs';

const model = 'gemini-3.8-flash';
const paths = ['/v1/chat/completions', '/v1beta/openai/chat/completions'];
const declared = (name) => ({
  type: 'function',
  function: {
    name,
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
});
const tools = [declared('find'), declared('weather')];

// Two steps, the second with parallel calls, and a text whose signature comes behind it.
const script = [
  [signed(call('find', { city: 'Oslo' }, 'a1'), 'first call')],
  [
    signed(call('weather', { city: 'Oslo' }, 'b1'), 'second call'),
    call('weather', { city: 'Bergen' }, 'b2'),
  ],
  [{ text: 'It rains in both.' }, signed({ text: '' }, 'the text')],
  [{ text: 'You are welcome.' }],
];

/** A strict emulator behind a gateway, with the bodies that reach it. */
function setup(strata, options = {}, answers = script) {
  const { gateway, bodies } = strictGateway(strata, options, answers);
  const post = (body, path = paths[0]) =>
    gateway.handle(
      new Request(`https://gateway.example${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer key-of-one-caller' },
        body: JSON.stringify({ model, ...body }),
      }),
    );
  return { post, bodies };
}

/** Returns the data of the events of a stream. */
async function eventsOf(response) {
  match(response.headers.get('content-type'), /text\/event-stream/);
  const events = (await response.text()).split('\n\n').filter(Boolean);
  return events.map((event) => event.slice('data: '.length));
}

/** Joins the deltas of a stream into the assistant's message. */
function joined(events) {
  equal(events.at(-1), '[DONE]');
  const message = { role: 'assistant', content: '' };
  for (const { choices } of events.slice(0, -1).map((event) => JSON.parse(event))) {
    const { content, tool_calls: calls = [], ...rest } = choices[0]?.delta ?? {};
    message.content += content ?? '';
    Object.assign(message, rest);
    for (const { index, ...added } of calls) (message.tool_calls ??= [])[index] = added;
  }
  return message;
}

async function messageOf(response) {
  equal(response.status, 200, await response.clone().text());
  if (response.headers.get('content-type').startsWith('text/event-stream'))
    return joined(await eventsOf(response));
  return (await response.json()).choices[0].message;
}

const resultOf = ({ id, function: { arguments: args } }) => ({
  role: 'tool',
  tool_call_id: id,
  content: `Result for ${JSON.parse(args).city}`,
});

/** Asks, and answers the calls with results until a text comes. Returns the history as the client keeps it. */
async function turn(post, body, messages, keep, path) {
  for (;;) {
    const message = keep(await messageOf(await post({ ...body, messages, tools }, path)));
    messages = [...messages, message];
    if (!message.tool_calls) return messages;
    messages = [...messages, ...message.tool_calls.map(resultOf)];
  }
}

const keepAll = (message) => message;

/** Keeps what OpenAI's API defines. */
const keepStandard = ({ content, tool_calls: calls }) => ({
  role: 'assistant',
  content,
  ...(calls && {
    tool_calls: calls.map(({ id, type, function: called }) => ({ id, type, function: called })),
  }),
});

const partsOf = (body) =>
  body.contents.filter(({ role }) => role === 'model').flatMap(({ parts }) => parts);
const user = (content) => ({ role: 'user', content });

const forms = [false, true].flatMap((stream) => paths.map((path) => ({ stream, path })));

export default [
  ...forms.flatMap(({ stream, path }) =>
    [
      ['keeps the messages as they are, without a memory', keepAll, { memory: false }],
      ['drops what OpenAI does not define', keepStandard, {}],
    ].map(([client, keep, options]) => ({
      name: `two tool steps and another turn, by a client that ${client}: ${stream ? 'streamed' : 'whole'}, ${path}`,
      async run(strata) {
        const { post, bodies } = setup(strata, options);
        const first = await turn(post, { stream }, [user('How is the weather?')], keep, path);
        equal(first.at(-1).content, 'It rains in both.');
        const last = await turn(post, { stream }, [...first, user('Thank you.')], keep, path);
        equal(last.at(-1).content, 'You are welcome.');
        deepEqual(partsOf(bodies.at(-1)), script.slice(0, 3).flat());
      },
    })),
  ),
  {
    name: 'a whole completion has usage, a finish reason and the model as it was asked for',
    async run(strata) {
      const { post } = setup(strata, {}, [[{ text: 'Hi!' }]]);
      const response = await post({ messages: [user('Hello')] });
      const { id, object, created, model: served, choices, usage } = await response.json();
      match(id, /^chatcmpl-/);
      equal(object, 'chat.completion');
      ok(Number.isInteger(created));
      equal(served, model);
      equal(choices[0].finish_reason, 'stop');
      equal(usage.total_tokens, usage.prompt_tokens + usage.completion_tokens);
    },
  },
  {
    name: 'a stream with include_usage ends with a chunk that has the usage and no choice',
    async run(strata) {
      const { post } = setup(strata, {}, [[{ text: 'Hi!' }]]);
      const body = { stream: true, stream_options: { include_usage: true } };
      const events = await eventsOf(await post({ ...body, messages: [user('Hello')] }));
      const chunks = events.slice(0, -1).map((event) => JSON.parse(event));
      deepEqual(chunks.at(-1).choices, []);
      ok(chunks.at(-1).usage.total_tokens > 0);
      ok(chunks.slice(0, -1).every(({ usage }) => usage === null));
    },
  },
  {
    name: 'a request without a Gemini form is refused with its path, and nothing is sent',
    async run(strata) {
      const { post, bodies } = setup(strata);
      const cases = [
        [{ tools: [{ type: 'web_search' }] }, 'tools[0].type'],
        [{ temperature: 'hot' }, 'temperature'],
        [{ messages: [{ role: 'robot', content: 'Hi' }] }, 'messages[0].role'],
      ];
      for (const [body, param] of cases) {
        const response = await post({ messages: [user('Hello')], ...body });
        equal(response.status, 400);
        const { error } = await response.json();
        deepEqual(
          [error.type, error.param, error.code],
          ['invalid_request_error', param, 'field.invalid'],
        );
        match(error.message, /must be/);
      }
      deepEqual(bodies, []);
    },
  },
  {
    name: 'a field without effect is reported in the response headers',
    async run(strata) {
      const { post } = setup(strata);
      const response = await post({ messages: [user('Hello')], logit_bias: { 5: 1 } });
      equal(response.status, 200);
      match(response.headers.get('x-strata-findings'), /import\.left_out/);
    },
  },
  {
    name: 'a schema of the response arrives as JSON Schema',
    async run(strata) {
      const { post, bodies } = setup(strata, {}, [[{ text: '{"city":"Oslo"}' }]]);
      const schema = {
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
        additionalProperties: false,
      };
      const format = { type: 'json_schema', json_schema: { name: 'place', strict: true, schema } };
      const message = await messageOf(
        await post({ messages: [user('Where?')], response_format: format }),
      );
      deepEqual(JSON.parse(message.content), { city: 'Oslo' });
      deepEqual(bodies[0].generationConfig, {
        responseMimeType: 'application/json',
        responseJsonSchema: schema,
      });
    },
  },
];
