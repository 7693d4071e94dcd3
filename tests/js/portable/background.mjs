// Tests what Google keeps of a conversation: runs in the background, agents, and interactions that are continued after a
// restart.
import { deepEqual, equal, ok, rejects } from './assert.mjs';
import { call, chatOn, model, output, thought, weather } from './interactions-chat.mjs';

const agent = 'deep-research-preview-04-2026';
const user = { type: 'user_input', content: [{ type: 'text', text: 'Hi' }] };

const began = (id) => () => Response.json({ id, status: 'in_progress' });
const runs = began('i1');
const refuses = (status, code) => () =>
  Response.json({ error: { code, message: 'No.' } }, { status });
// As the API writes it, with white space that no JSON.stringify gives.
const done =
  (steps, more = {}) =>
  () => {
    const head = JSON.stringify({ id: 'i1', status: 'completed', ...more }).slice(0, -1);
    return new Response(`${head},"steps": ${JSON.stringify([user, ...steps], null, 1)}}`);
  };
const answers = done([thought, output]);

// Answers one request after the other; the last answer is repeated.
function service(...replies) {
  const seen = [];
  const bodies = [];
  const fetch = async (url, { method, body }) => {
    seen.push(`${method} ${new URL(url).pathname.replace('/v1beta/interactions', '')}`);
    if (body) bodies.push(JSON.parse(new TextDecoder().decode(body)));
    return (replies.length > 1 ? replies.shift() : replies[0])();
  };
  return { fetch, seen, bodies };
}

const chatWith = (pkg, { fetch }, options) =>
  chatOn(pkg, fetch, { background: true, answerRetry: false, ...options });

// Reads a send, and aborts it at the first event of this type.
async function abortedAt(chat, type) {
  const controller = new AbortController();
  const events = [];
  const read = async () => {
    for await (const event of chat.send('Hi', { signal: controller.signal })) {
      events.push(event);
      if (event.type === type) controller.abort(new Error('enough'));
    }
  };
  await rejects(read(), { message: 'enough' });
  return events.filter((event) => event.type === 'background');
}

export default [
  {
    name: 'an answer in the background is asked for until it is there, and kept as it came',
    async run(pkg) {
      const api = service(runs, runs, answers, answers);
      const chat = await chatWith(pkg, api);
      const events = [];
      for await (const event of chat.send('Hi')) {
        events.push(event);
        if (event.type === 'background') equal(chat.backgroundId, 'i1');
      }
      deepEqual(api.seen, ['POST ', 'GET /i1', 'GET /i1', 'GET /i1']);
      const [{ background, store, stream, input }] = api.bodies;
      deepEqual([background, store, stream, input.length], [true, true, undefined, 1]);
      deepEqual(
        events.filter(({ type }) => type === 'background'),
        [{ type: 'background', id: 'i1', status: 'in_progress' }],
      );
      equal(events.at(-1).text, 'Clear.');
      equal(chat.backgroundId, undefined);
      // The steps of the answer, without those of the input.
      const kept = new TextDecoder().decode(chat.thread.content(1));
      ok(kept.includes('"signature": "c2lnbmVk"') && !kept.includes('user_input'));
    },
  },
  {
    name: 'tools run between two answers in the background',
    async run(pkg) {
      const calls = done([thought, call], { status: 'requires_action' });
      const api = service(runs, calls, calls, runs, answers);
      const chat = await chatWith(pkg, api, { tools: [weather] });
      const { text } = await chat.ask('Weather?');
      equal(text, 'Clear.');
      const types = api.bodies[1].input.map(({ type }) => type);
      deepEqual(types, ['user_input', 'thought', 'function_call', 'function_result']);
    },
  },
  {
    name: 'one message runs in the background',
    async run(pkg) {
      const api = service(runs, answers);
      const chat = await chatWith(pkg, api, { background: undefined });
      await chat.ask('Hi', { background: true });
      equal(api.bodies[0].background, true);
    },
  },
  {
    name: 'an abort cancels what runs in the background',
    async run(pkg) {
      const cancelled = () => Response.json({ id: 'i1', status: 'cancelled' });
      const api = service(runs, runs, cancelled);
      const chat = await chatWith(pkg, api);
      const told = await abortedAt(chat, 'background');
      equal(api.seen.at(-1), 'POST /i1/cancel');
      deepEqual(told.at(-1), { type: 'background', id: 'i1', status: 'cancelled' });
      deepEqual([chat.backgroundId, chat.unanswered], [undefined, true]);
    },
  },
  {
    name: 'an abort that cannot cancel says so, and the next send takes the answer',
    async run(pkg) {
      const replies = [runs, runs, refuses(400, 'invalid_request'), answers];
      const { seen, fetch } = service(...replies);
      const chat = await chatWith(pkg, { fetch });
      const told = await abortedAt(chat, 'background');
      deepEqual(told.at(-1), {
        ...{ type: 'background', id: 'i1', status: 'in_progress' },
        error: 'No.',
      });
      equal(chat.backgroundId, 'i1');
      equal((await chat.ask('')).text, 'Clear.');
      deepEqual(
        seen.filter((each) => each === 'POST '),
        ['POST '],
      );
      equal(chat.backgroundId, undefined);
    },
  },
  {
    name: 'an interaction that begins after an abort is cancelled',
    async run(pkg) {
      let begin;
      const api = service(
        () => new Promise((resolve) => (begin = () => resolve(runs()))),
        () => Response.json({ id: 'i1', status: 'cancelled' }),
      );
      const chat = await chatWith(pkg, api);
      const controller = new AbortController();
      const asked = chat.ask('Hi', { signal: controller.signal });
      while (!begin) await new Promise((resolve) => setTimeout(resolve, 1));
      controller.abort(new Error('enough'));
      await rejects(asked, { message: 'enough' });
      begin();
      while (api.seen.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
      deepEqual(api.seen, ['POST ', 'POST /i1/cancel']);
    },
  },
  {
    name: 'a reopened conversation takes the answer of what ran',
    async run(pkg) {
      const place = { store: new pkg.MemoryStore(), id: 'a' };
      const lost = service(runs, () => Promise.reject(new Error('offline')));
      await rejects((await chatWith(pkg, lost, place)).ask('Hi'), { code: 'network' });
      const api = service(answers);
      const chat = await chatWith(pkg, api, { ...place, background: undefined });
      equal(chat.backgroundId, 'i1');
      equal((await chat.ask('Hi')).text, 'Clear.');
      deepEqual(api.seen, ['GET /i1', 'GET /i1']);
      const reopened = await chatWith(pkg, api, place);
      deepEqual([reopened.thread.length, reopened.backgroundId], [2, undefined]);
    },
  },
  {
    name: 'what Google no longer has is sent again, and another message has its own answer',
    async run(pkg) {
      for (const rewinds of [false, true]) {
        const place = { store: new pkg.MemoryStore(), id: 'a' };
        const lost = service(runs, () => Promise.reject(new Error('offline')));
        await rejects((await chatWith(pkg, lost, place)).ask('Hi'), { code: 'network' });
        const gone = rewinds ? [] : [refuses(404, 'not_found')];
        const api = service(...gone, began('i2'), answers);
        const chat = await chatWith(pkg, api, place);
        if (rewinds) await chat.rewind(0);
        const types = [];
        for await (const { type } of chat.send(rewinds ? 'Another' : '')) types.push(type);
        equal(types.includes('stateLost'), !rewinds);
        deepEqual(api.seen.slice(gone.length), ['POST ', 'GET /i2', 'GET /i2']);
      }
    },
  },
  {
    name: 'backgroundId names no run of another message',
    async run(pkg) {
      const offline = () => Promise.reject(new Error('offline'));
      const chat = await chatWith(pkg, service(runs, offline));
      await rejects(chat.ask('Hi'), { code: 'network' });
      equal(chat.backgroundId, 'i1');
      await chat.rewind(0);
      await rejects(chat.ask('Another'), { code: 'network' });
      equal(chat.backgroundId, undefined);
    },
  },
  {
    name: 'a run that fails is an error, and the next send begins another one',
    async run(pkg) {
      const errors = [{ code: 'api_error', message: 'Broken' }];
      const failed = () => Response.json({ id: 'i1', status: 'failed', errors });
      for (const answerRetry of [false, { initialMs: 0 }]) {
        const api = service(runs, failed, failed, began('i2'), answers);
        const chat = await chatWith(pkg, api, { answerRetry });
        await rejects(chat.ask('Hi'), { code: 'api.api_error', message: 'Broken' });
        equal(chat.backgroundId, undefined);
        await chat.ask('');
        equal(api.bodies.length, 2);
      }
    },
  },
  {
    name: 'an answer without an id is an error',
    async run(pkg) {
      const api = service(() => Response.json({ status: 'completed', steps: [output] }));
      await rejects((await chatWith(pkg, api)).ask('Hi'), { code: 'answer.invalid' });
    },
  },
  {
    name: 'an agent answers in place of a model',
    async run(pkg) {
      const api = service(runs, answers);
      const agentConfig = { type: 'deep-research' };
      const chat = await chatWith(pkg, api, { model: undefined, agent, agentConfig });
      const { text } = await chat.ask('Compare two solar cells.');
      equal(text, 'Clear.');
      const [{ model: named, agent: by, agent_config: config, background }] = api.bodies;
      deepEqual([named, by, config, background], [undefined, agent, agentConfig, true]);
      for (const wrong of [{ model }, { generationConfig: {} }, { toolConfig: {} }])
        await rejects(chat.ask('Hi', wrong), { code: 'field.invalid' });
      const alone = { message: /background must be true: deep-res/ };
      await rejects(chat.ask('Hi', { background: false }), alone);
    },
  },
  {
    name: 'options that exclude each other are refused by name',
    async run(pkg) {
      const api = service(answers);
      const byAgent = { model: undefined, agent };
      for (const [options, message] of [
        [{ agent }, 'model must be omitted, because `agent` is set'],
        [{ ...byAgent, generationConfig: {} }, 'generationConfig must be omitted: an agent'],
        [{ ...byAgent, toolConfig: {} }, 'toolConfig must be omitted: an agent'],
        [{ ...byAgent, background: false }, `background must be true: ${agent} runs`],
        [{ ...byAgent, agent: 'antigravity-preview-05-2026' }, 'background must be omitted'],
        [{ agentConfig: {} }, 'agentConfig must be omitted, unless `agent` is set'],
        [{ ...byAgent, wire: undefined }, "agent must be omitted, unless `wire` is 'interactions'"],
        [{ wire: 'generateContent' }, 'background must be omitted, unless `wire`'],
        [{ storeRequests: false }, 'storeRequests must be omitted or true'],
      ]) {
        const error = await rejects(chatWith(pkg, api, options), { code: 'field.invalid' });
        ok(error.message.includes(message), error.message);
      }
      const chat = await chatWith(pkg, api, { wire: 'generateContent', background: undefined });
      await rejects(chat.ask('Hi', { background: true }), { code: 'field.invalid' });
      equal(api.seen.length, 0);
    },
  },
  {
    name: 'a reopened conversation continues the interaction that has its turns',
    async run(pkg) {
      const options = { state: 'server', background: undefined };
      for (const [change, continues] of [
        [{}, true],
        [{ model: 'gemini-3.5-flash' }, false],
        [{ state: undefined }, false],
      ]) {
        const place = { store: new pkg.MemoryStore(), id: 'a' };
        const first = await chatWith(pkg, service(answers), { ...options, ...place });
        await first.ask('Hi');
        const api = service(answers);
        const chat = await chatWith(pkg, api, { ...options, ...place, ...change });
        await chat.ask('And now?');
        const [{ previous_interaction_id: previous, input }] = api.bodies;
        deepEqual([previous, input.length], continues ? ['i1', 1] : [undefined, 4]);
      }
    },
  },
  {
    name: 'a reopened conversation whose turns have changed sends all of them',
    async run(pkg) {
      const options = { state: 'server', background: undefined };
      const place = { store: new pkg.MemoryStore(), id: 'a' };
      const first = await chatWith(pkg, service(answers), { ...options, ...place });
      await first.ask('Hi');
      await first.rewind(1);
      first.thread.append({ role: 'model', parts: [{ text: 'Other.' }] });
      await first.closeCalls();
      const gone = refuses(404, 'not_found');
      const api = service(answers, gone, answers);
      const chat = await chatWith(pkg, api, { ...options, ...place });
      await chat.ask('And now?');
      equal(api.bodies[0].previous_interaction_id, undefined);
      const again = await chatWith(pkg, api, { ...options, ...place });
      await again.ask('And then?');
      const previous = api.bodies.map(({ previous_interaction_id: id }) => id);
      deepEqual(previous, [undefined, 'i1', undefined]);
    },
  },
];
