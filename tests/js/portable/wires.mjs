// Tests conversations on the Interactions API: what they send, what their turns keep, how they move from one API to the
// other, and what they do about its errors.
import { deepEqual, equal, ok, rejects, throws } from './assert.mjs';
import { call, chatOn, model, output, thought, weather } from './interactions-chat.mjs';

// As the API writes them, with white space that no JSON.stringify gives.
const callStep =
  '{"type": "function_call", "id": "k1", "name": "weather", "arguments": {"city": "Oslo"}}';

const deltaOf = (step) => {
  if (step.type === 'thought') return { type: 'thought_signature', signature: step.signature };
  if (step.type === 'function_call')
    return { type: 'arguments_delta', arguments: JSON.stringify(step.arguments) };
  return { type: 'text', text: step.content[0].text };
};

function eventsOf(steps, { id = '', status = 'completed', ...more } = {}) {
  const begin = ({ type, id: callId, name }) =>
    type === 'function_call' ? { type, id: callId, name, arguments: {} } : { type };
  const events = [
    { event_type: 'interaction.created', interaction: { id, status: 'in_progress', model } },
    ...steps.flatMap((step, index) => [
      { event_type: 'step.start', index, step: begin(step) },
      { event_type: 'step.delta', index, delta: deltaOf(step) },
      { event_type: 'step.stop', index },
    ]),
    {
      event_type: 'interaction.completed',
      interaction: {
        ...{ id, status, model },
        usage: { total_input_tokens: 5, total_output_tokens: 2, total_thought_tokens: 1 },
        ...more,
      },
    },
  ];
  const lines = events.map((event) => `event: ${event.event_type}\ndata: ${JSON.stringify(event)}`);
  return `${[...lines, 'event: done\ndata: [DONE]'].join('\n\n')}\n\n`;
}

const eventStream = (text) =>
  new Response(text, { headers: { 'content-type': 'text/event-stream' } });
const calls = (more) =>
  eventStream(eventsOf([thought, call], { status: 'requires_action', ...more }));
const says = (more) => eventStream(eventsOf([thought, output], more));
const unary = (step) =>
  new Response(
    `{"id":"","status":"requires_action","steps":[${JSON.stringify(thought)},${step}],"usage":{"total_tokens":3}}`,
  );
const contentsSay = () =>
  eventStream(
    `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts: [{ text: 'Yes.' }] }, finishReason: 'STOP' }] })}\n\n`,
  );
const refuses = (status, code, message) =>
  new Response(JSON.stringify({ error: { code, message } }), { status });

// Answers one request after the other, and keeps the requests.
function service(...answers) {
  const requests = [];
  const fetch = async (url, { body }) => {
    const text = new TextDecoder().decode(body);
    requests.push({ path: new URL(url).pathname, text, body: JSON.parse(text) });
    return answers.shift()();
  };
  return { fetch, requests };
}

const chatWith = (pkg, { fetch }, options) => chatOn(pkg, fetch, { tools: [weather], ...options });

const typesOf = ({ body }) => body.input.map(({ type }) => type);

export default [
  {
    name: 'a conversation on the Interactions API runs tools and sends the steps back',
    async run(pkg) {
      const api = service(calls, says);
      const chat = await chatWith(pkg, api, { systemInstruction: 'Be brief.' });
      const { text, usage, finishReason } = await chat.ask('Weather in Oslo?');
      deepEqual([text, finishReason], ['Clear.', 'STOP']);
      equal(usage.promptTokenCount, 10);
      const [first, second] = api.requests;
      equal(first.path, '/v1beta/interactions');
      const { tools, system_instruction: instruction, store, stream, input } = first.body;
      deepEqual([first.body.model, instruction, store, stream], [model, 'Be brief.', false, true]);
      deepEqual([tools[0].type, tools[0].name], ['function', 'weather']);
      deepEqual(input, [
        { type: 'user_input', content: [{ type: 'text', text: 'Weather in Oslo?' }] },
      ]);
      deepEqual(typesOf(second), ['user_input', 'thought', 'function_call', 'function_result']);
      deepEqual(second.body.input.slice(1, 3), [thought, call]);
      const { call_id: id, name, result } = second.body.input[3];
      deepEqual([id, name, result], ['k1', 'weather', { output: { sky: 'clear' } }]);
      // What stood in the first request begins the second one.
      const start = first.text.slice(0, first.text.lastIndexOf(']'));
      ok(second.text.startsWith(start));
    },
  },
  {
    name: 'the steps of tools of Google go back without a warning',
    async run(pkg) {
      const search = '{"type":"google_search_call","id":"s1","arguments":{"queries":["a"]}}';
      const api = service(() => unary(`${search},${JSON.stringify(output)}`), says);
      const chat = await chatWith(pkg, api);
      deepEqual((await chat.ask('Search.')).warnings, []);
      deepEqual((await chat.ask('Thanks.')).warnings, []);
      deepEqual(api.requests[1].body.input[2], JSON.parse(search));
    },
  },
  {
    name: 'an agent and an alias run tools: their signatures are their own',
    async run(pkg) {
      for (const options of [
        { model: undefined, agent: 'antigravity-preview-05-2026', state: 'server' },
        { model: 'tunedModels/weather' },
        { model: 'my-alias' },
      ]) {
        const api = service(calls, says);
        const chat = await chatWith(pkg, api, options);
        equal((await chat.ask('Weather in Oslo?')).text, 'Clear.');
        equal(chat.thread.timeline().turns[1].form, 'steps');
      }
    },
  },
  {
    name: 'parallel calls with one id are asked for again before a tool runs',
    async run(pkg) {
      const twice = () => unary(`${callStep},${callStep}`);
      const api = service(twice, says);
      const chat = await chatWith(pkg, api);
      equal((await chat.ask('Weather in Oslo?')).text, 'Clear.');
      equal(chat.history.length, 2);
    },
  },
  {
    name: 'history has Contents on either wire, and a conversation moves in its middle',
    async run(pkg) {
      const api = service(() => unary(callStep), says, contentsSay, says);
      const chat = await chatWith(pkg, api);
      await chat.ask('Weather in Oslo?');
      const [, model1] = chat.history;
      const { functionCall, thoughtSignature } = model1.parts.at(-1);
      deepEqual(
        [functionCall.name, functionCall.id, thoughtSignature],
        ['weather', 'k1', 'c2lnbmVk'],
      );
      chat.wire = 'generateContent';
      await chat.ask('Sure?');
      equal(api.requests[2].path, `/v1beta/models/${model}:streamGenerateContent`);
      deepEqual(api.requests[2].body.contents[1].parts.at(-1).thoughtSignature, 'c2lnbmVk');
      chat.wire = 'interactions';
      await chat.ask('And now?');
      const last = api.requests[3];
      // Byte for byte as it came.
      ok(last.text.includes(callStep));
      deepEqual(typesOf(last).slice(-3), ['user_input', 'model_output', 'user_input']);
    },
  },
  {
    name: 'a stored conversation opens with its steps',
    async run(pkg) {
      const store = new pkg.MemoryStore();
      const first = service(() => unary(callStep), says);
      await (await chatWith(pkg, first, { store, id: 'a' })).ask('Weather in Oslo?');
      const second = service(says);
      const chat = await chatWith(pkg, second, { store, id: 'a' });
      await chat.ask('And now?');
      ok(second.requests[0].text.includes(callStep));
      equal(typesOf(second.requests[0]).length, 7);
    },
  },
  {
    name: "state: 'server' sends what is new, and the whole history where that is lost",
    async run(pkg) {
      const gone = () => refuses(404, 'not_found', 'Interaction not found.');
      const answers = [() => calls({ id: 'i1' }), () => says({ id: 'i2' }), gone];
      const api = service(...answers, () => says({ id: 'i3' }));
      const chat = await chatWith(pkg, api, { state: 'server' });
      await chat.ask('Weather in Oslo?');
      const [first, second] = api.requests.map(({ body }) => body);
      deepEqual([first.store, first.previous_interaction_id], [true, undefined]);
      deepEqual([second.store, second.previous_interaction_id], [true, 'i1']);
      deepEqual(typesOf({ body: second }), ['function_result']);
      const events = [];
      for await (const event of chat.send('And now?')) events.push(event);
      const lost = events.filter(({ type }) => type === 'stateLost');
      deepEqual(lost, [{ type: 'stateLost', id: 'i2' }]);
      const [third, fourth] = api.requests.slice(2).map(({ body }) => body);
      deepEqual([third.previous_interaction_id, third.input.length], ['i2', 1]);
      deepEqual([fourth.previous_interaction_id, fourth.input.length], [undefined, 7]);
    },
  },
  {
    name: 'a rewind behind a stored interaction sends the whole history',
    async run(pkg) {
      const api = service(
        () => says({ id: 'i1' }),
        () => says({ id: 'i2' }),
        says,
      );
      const chat = await chatWith(pkg, api, { state: 'server' });
      await chat.ask('One');
      await chat.ask('Two');
      await chat.rewind(2);
      await chat.ask('Three');
      const { previous_interaction_id: previous } = api.requests[2].body;
      deepEqual(
        [previous, typesOf(api.requests[2])],
        [undefined, ['user_input', 'thought', 'model_output', 'user_input']],
      );
    },
  },
  {
    name: 'only an interaction that has the turns of the thread is continued',
    async run(pkg) {
      const api = service(
        () => says({ id: 'i1' }),
        contentsSay,
        () => says({ id: 'i2' }),
        says,
      );
      const chat = await chatWith(pkg, api, { state: 'server' });
      await chat.ask('One');
      chat.wire = 'generateContent';
      await chat.ask('Two');
      chat.wire = 'interactions';
      await chat.ask('Three');
      chat.thread.rewind(4);
      chat.thread.append({ role: 'user', parts: [{ text: 'Four' }] });
      chat.thread.append({ role: 'model', parts: [{ text: 'Five' }] });
      await chat.ask('Six');
      const previous = api.requests.map(({ body }) => body.previous_interaction_id);
      deepEqual(previous, [undefined, undefined, undefined, undefined]);
    },
  },
  {
    name: 'an interaction that is gone within a stream ends the first answer as a fault',
    async run(pkg) {
      const gone = { event_type: 'error', error: { code: 'not_found', message: 'Gone' } };
      const broken = () =>
        eventStream(
          `${eventsOf([output]).split('event: interaction.completed')[0]}event: error\ndata: ${JSON.stringify(gone)}\n\n`,
        );
      const api = service(() => says({ id: 'i1' }), broken, says);
      const chat = await chatWith(pkg, api, { state: 'server' });
      await chat.ask('One');
      const types = [];
      for await (const { type } of chat.send('Two')) types.push(type);
      const told = types.filter((type) => /fault|stateLost|request|turn/.test(type));
      deepEqual(told, ['turn', 'request', 'fault', 'stateLost', 'request', 'turn']);
    },
  },
  {
    name: 'an error that has nothing to do with the state is thrown at once',
    async run(pkg) {
      const blocked = () => refuses(400, 'content_blocked', 'Blocked');
      const api = service(() => says({ id: 'i1' }), blocked);
      const chat = await chatWith(pkg, api, { state: 'server', answerRetry: false });
      await chat.ask('One');
      await rejects(chat.ask('Two'), { code: 'api.content_blocked' });
    },
  },
  {
    name: 'errors of the Interactions API are typed, and what cannot pass is not sent again',
    async run(pkg) {
      const failing = async (status, code, message) => {
        const api = service(...[1, 2].map(() => () => refuses(status, code, message)));
        const chat = await chatWith(pkg, api, { answerRetry: false });
        const error = await rejects(chat.ask('Hi'), { name: 'GeminiError' });
        return [error.code, error.kind, error.status, api.requests.length];
      };
      const invalid = 'Request contains an invalid argument.';
      deepEqual(await failing(400, 'invalid_request', invalid), [
        'api.invalid_request',
        'invalid',
        400,
        1,
      ]);
      deepEqual(await failing(429, 'quota_exceeded', 'Quota'), [
        'api.quota_exceeded',
        'rateLimit',
        429,
        1,
      ]);
      deepEqual(await failing(402, 'payment_required', 'Pay'), [
        'api.payment_required',
        'rateLimit',
        402,
        1,
      ]);
      deepEqual(await failing(400, 'content_blocked', 'Blocked'), [
        'api.content_blocked',
        'blocked',
        400,
        1,
      ]);
    },
  },
  {
    name: 'an error within a stream ends the answer, and a busy service is asked again',
    async run(pkg) {
      const error = {
        event_type: 'error',
        error: { code: 'service_unavailable', message: 'Busy' },
      };
      const broken = () => eventStream(`event: error\ndata: ${JSON.stringify(error)}\n\n`);
      const api = service(broken, says);
      const chat = await chatWith(pkg, api, { answerRetry: { initialMs: 0 } });
      const { text } = await chat.ask('Hi');
      deepEqual([text, api.requests.length, chat.thread.length], ['Clear.', 2, 2]);
    },
  },
  {
    name: 'an answer with a fault is asked for again as on the other API, a blocked one is not',
    async run(pkg) {
      const failing = async (code) => {
        const failed = () =>
          Response.json({ status: 'failed', errors: [{ code, message: 'No.' }] });
        const api = service(failed, says);
        const chat = await chatWith(pkg, api, { answerRetry: { initialMs: 0 } });
        const codes = [];
        for await (const event of chat.send('Hi'))
          if (event.type === 'retry') codes.push(event.code);
        return codes.join();
      };
      equal(await failing('malformed_function_call'), 'api.malformed_function_call');
      equal(await failing('unexpected_tool_call'), 'api.unexpected_tool_call');
      equal(await failing('missing_thought_signature'), 'api.missing_thought_signature');
      equal(await failing('recitation'), 'answer.blocked');
      await rejects(failing('safety'), {
        code: 'answer.blocked',
        blockReason: 'safety',
        message: 'The prompt or its answer was blocked: safety',
      });
    },
  },
  {
    name: 'a call that the token limit cut does not run',
    async run(pkg) {
      for (const piece of ['', '{"city":"Os']) {
        const events = eventsOf([thought, call], { status: 'incomplete' }).replace(
          JSON.stringify(JSON.stringify(call.arguments)),
          JSON.stringify(piece),
        );
        const api = service(() => eventStream(events));
        const chat = await chatWith(pkg, api, { answerRetry: { initialMs: 0 } });
        const { partial } = await rejects(chat.ask('Hi'), { code: 'answer.max_tokens' });
        ok(!new TextDecoder().decode(partial).includes('functionCall'));
        deepEqual([api.requests.length, chat.thread.length], [1, 1]);
      }
    },
  },
  {
    name: 'a message may be steps, and history may be, too',
    async run(pkg) {
      const api = service(says, says);
      const input = [{ type: 'user_input', content: [{ type: 'text', text: 'Hello' }] }];
      for (const message of [input, input[0]]) {
        const chat = await chatWith(pkg, api, { history: [...input, thought, output] });
        await chat.ask(message);
        deepEqual(api.requests.at(-1).body.input, [...input, thought, output, ...input]);
      }
      const chat = await chatWith(pkg, api, { history: [...input, thought, output] });
      const bytes = new TextEncoder().encode(JSON.stringify([output]));
      for (const wrong of [[output], bytes, [...input, ...input], [...input, 5n]])
        await rejects(chat.ask(wrong), { code: 'trigger.missing' });
      equal(chat.thread.length, 2);
    },
  },
  {
    name: 'calls of another service get the placeholder if asked',
    async run(pkg) {
      const history = [
        { role: 'user', parts: [{ text: 'Weather in Oslo?' }] },
        { role: 'model', parts: [{ functionCall: { id: 'f1', name: 'weather', args: {} } }] },
        {
          role: 'user',
          parts: [{ functionResponse: { id: 'f1', name: 'weather', response: {} } }],
        },
        { role: 'model', parts: [{ text: 'Clear.' }] },
      ];
      for (const dummySignatures of [true, false]) {
        const api = service(says);
        const options = { model: 'gemini-2.5-flash', history, dummySignatures };
        const chat = await chatWith(pkg, api, options);
        const { warnings } = await chat.ask('And now?');
        const signed = api.requests[0].body.input.filter(({ type }) => type === 'thought');
        equal(signed.length, dummySignatures ? 1 : 0);
        equal(
          warnings.some(({ code }) => code === 'convert.unsigned'),
          !dummySignatures,
        );
      }
    },
  },
  {
    name: 'a summary, and who speaks next, are asked for through the API of the conversation',
    async run(pkg) {
      const said = (text) => () =>
        eventStream(eventsOf([thought, { ...output, content: [{ type: 'text', text }] }]));
      const asked = [];
      const talk = async (answers, options, message) => {
        const api = service(...answers.map(said));
        const chat = await chatWith(pkg, api, { tools: [], answerRetry: false, ...options });
        const events = [];
        for await (const event of chat.send(message)) events.push(event);
        asked.push(...api.requests.map(({ path }) => path.replace(/^.*[/]/, '')));
        return [events, api.requests.at(-1).body];
      };
      const judged = JSON.stringify({ reasoning: 'Done.', next_speaker: 'user' });
      const [heard, question] = await talk(['Hello.', judged], { continue: {} }, 'Hi');
      equal(heard.find(({ type }) => type === 'nextSpeaker')?.speaker, 'user');
      equal(question.response_format[0].schema.required.length, 2);
      deepEqual([question.model, question.store, question.stream], [model, false, true]);
      const history = [];
      for (const text of ['One', 'Two', 'Three']) {
        const content = [{ type: 'text', text: `${text} `.repeat(400) }];
        history.push({ type: 'user_input', content }, thought, { ...output, content });
      }
      const compression = { threshold: 0.3, check: false };
      const limits = { inputTokenLimit: 6_000 };
      const summary = '<state_snapshot>Short.</state_snapshot>';
      const [told] = await talk([summary, 'Hello.'], { history, compression, limits }, 'Hi');
      ok(told.some(({ type }) => type === 'compressed'));
      deepEqual(asked, ['interactions', 'interactions', 'interactions', 'interactions']);
      const other = { model: 'gemini-3.5-flash' };
      await talk(['Hello.', judged], { continue: other }, 'Hi');
      equal(asked.at(-1), 'gemini-3.5-flash:generateContent');
    },
  },
  {
    name: 'options that the Interactions API does not have are refused',
    async run(pkg) {
      const api = service();
      await rejects(chatWith(pkg, api, { wire: 'http' }), { code: 'field.invalid' });
      await rejects(chatWith(pkg, api, { caching: true }), { code: 'field.invalid' });
      const state = 'server';
      for (const other of [{ storeRequests: false }, { cachedHistory: 'text' }])
        await rejects(chatWith(pkg, api, { state, ...other }), { code: 'field.invalid' });
      const chat = await chatWith(pkg, api, { wire: 'generateContent', caching: true });
      throws(() => (chat.wire = 'interactions'), { code: 'field.invalid' });
      equal(chat.wire, 'generateContent');
    },
  },
  {
    name: 'the client creates, reads, continues, waits for, cancels and deletes interactions',
    async run({ GeminiClient }) {
      const seen = [];
      const states = ['in_progress', 'completed'];
      const fetch = async (url, { method }) => {
        const { pathname, search } = new URL(url);
        seen.push(`${method} ${pathname}${search}`);
        const status = method === 'GET' && search === '' ? states.shift() : 'cancelled';
        return method === 'DELETE' ? new Response('{}') : Response.json({ id: 'i1', status });
      };
      const { interactions } = new GeminiClient({ apiKey: 'k', fetch });
      await interactions.create({ model, input: 'Hi', background: true });
      equal((await interactions.wait('i1', { initialMs: 0 })).status, 'completed');
      equal((await interactions.cancel('i1')).status, 'cancelled');
      await interactions.resume('i1', 'e 7');
      await interactions.delete('i1');
      const path = '/v1beta/interactions';
      deepEqual(seen, [
        `POST ${path}`,
        `GET ${path}/i1`,
        `GET ${path}/i1`,
        `POST ${path}/i1/cancel`,
        `GET ${path}/i1?stream=true&last_event_id=e%207`,
        `DELETE ${path}/i1`,
      ]);
    },
  },
];
