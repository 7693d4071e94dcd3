// The option `fallback`: another model answers if one is overloaded, has no quota or is retired. Nothing is lost or sent
// twice, and signatures are judged for the model that answers.
import { deepEqual, equal, ok, rejects } from './assert.mjs';

const model = 'gemini-3.8-flash';
const now = () => '2026-11-22T10:00:00Z';
const decode = (bytes) => new TextDecoder().decode(bytes);

const refusal = (code, status, message = 'No.', details = []) =>
  new Response(JSON.stringify({ error: { code, status, message, details } }), { status: code });
const overloaded = () => refusal(503, 'UNAVAILABLE', 'The model is overloaded.');
const retired = (name) =>
  refusal(404, 'NOT_FOUND', `This model models/${name} is no longer available to new users.`);
const answer = (...parts) =>
  new Response(
    `data: ${JSON.stringify({
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 },
    })}\r\n\r\n`,
  );
const call = {
  functionCall: { id: 'call_1', name: 'add', args: {} },
  thoughtSignature: 'c2lnbmVk',
};

/** Returns a conversation whose requests `respond` answers, and the requests: model and body. */
async function talk(strata, respond, options = {}) {
  const sent = [];
  const fetch = async (url, init) => {
    const [, name] = /models\/([^:]+):/.exec(String(url));
    sent.push({ name, body: JSON.parse(decode(init.body)) });
    return respond(name, sent.length);
  };
  const client = new strata.GeminiClient({ fetch, retry: { attempts: 2, initialMs: 1 } });
  const settings = { model, now, fallback: ['gemini-3.7-flash', 'gemini-4-argon'], ...options };
  const chat = new strata.Conversation(await strata.load(), client, settings);
  return { chat, sent };
}

async function collect(events) {
  const all = [];
  for await (const event of events) all.push(event);
  return all;
}

const namesOf = (sent) => sent.map(({ name }) => name);
const changes = (events) => events.filter(({ type }) => type === 'fallback');

export default [
  {
    name: 'asks the next model after the client has given up on one, with the same turns',
    async run(strata) {
      const respond = (name) => (name === model ? overloaded() : answer({ text: `I am ${name}` }));
      const { chat, sent } = await talk(strata, respond);
      const events = await collect(chat.send('Hello'));
      deepEqual(namesOf(sent), [model, model, 'gemini-3.7-flash']);
      deepEqual(changes(events), [
        {
          ...{ type: 'fallback', from: model, to: 'gemini-3.7-flash' },
          ...{ code: 'api.UNAVAILABLE', message: 'The model is overloaded.' },
        },
      ]);
      deepEqual(sent[2].body.contents, sent[0].body.contents);
      equal(chat.history.length, 2);
      equal(chat.thread.timeline().turns[1].meta?.model ?? 'gemini-3.7-flash', 'gemini-3.7-flash');
      equal(events.at(-1).text, 'I am gemini-3.7-flash');
      equal(events.at(-1).usage.requests, 3);
      // The next send begins with the own model again.
      await chat.ask('And now?');
      deepEqual(namesOf(sent).slice(3), [model, model, 'gemini-3.7-flash']);
      equal(chat.history.length, 4);
    },
  },
  {
    name: 'goes on to the models behind it, and fails with the last error if none answers',
    async run(strata) {
      const { chat, sent } = await talk(strata, overloaded);
      const events = [];
      await rejects(
        async () => {
          for await (const event of chat.send('Hello')) events.push(event);
        },
        { code: 'api.UNAVAILABLE' },
      );
      deepEqual(
        changes(events).map(({ from, to }) => `${from} ${to}`),
        [`${model} gemini-3.7-flash`, 'gemini-3.7-flash gemini-4-argon'],
      );
      equal(sent.length, 6);
      // The message is kept, once, for the next send.
      equal(chat.history.length, 1);
      ok(chat.unanswered);
    },
  },
  {
    name: 'is for retired models, quotas of a day, and quotas without a delay; not for other errors',
    async run(strata) {
      const quota = (details) => () => refusal(429, 'RESOURCE_EXHAUSTED', 'Quota.', details);
      const delay = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '0.001s' };
      const perDay = { violations: [{ quotaId: 'GenerateRequestsPerDayPerProject' }] };
      const cases = [
        [() => retired(model), 1, true],
        [quota([]), 2, true],
        [quota([delay, perDay]), 1, true],
        [quota([delay]), 2, false],
        [() => refusal(400, 'INVALID_ARGUMENT', 'The model refuses.'), 1, false],
        [() => refusal(403, 'PERMISSION_DENIED', 'No.'), 1, false],
        [() => refusal(404, 'NOT_FOUND', 'Requested entity was not found.'), 1, false],
      ];
      for (const [fail, attempts, falls] of cases) {
        const respond = (name) => (name === model ? fail() : answer({ text: 'Hi' }));
        const { chat, sent } = await talk(strata, respond);
        const failure = await chat.ask('Hello').then(
          () => undefined,
          (error) => error,
        );
        equal(failure === undefined, falls, failure?.message);
        equal(sent.length, attempts + (falls ? 1 : 0), fail().status);
      }
    },
  },
  {
    name: 'keeps signatures within a tool loop, runs no tool twice, and stays with the model until the send ends',
    async run(strata) {
      let runs = 0;
      const tools = [{ name: 'add', description: 'Adds', run: () => ({ sum: ++runs }) }];
      const respond = (name, count) => {
        if (count === 1) return answer(call);
        return name === model ? overloaded() : answer(count < 5 ? call : { text: 'Done' });
      };
      const { chat, sent } = await talk(strata, respond, { tools });
      const events = await collect(chat.send('Add'));
      deepEqual(namesOf(sent), [model, model, model, 'gemini-3.7-flash', 'gemini-3.7-flash']);
      equal(runs, 2);
      equal(changes(events).length, 1);
      for (const { body } of sent.slice(1))
        equal(body.contents[1].parts[0].thoughtSignature, call.thoughtSignature);
      equal(sent[4].body.contents.length, 5);
      deepEqual(
        events.filter(({ type }) => type === 'turn').map(({ index }) => index),
        [0, 1, 2, 3, 4, 5],
      );
    },
  },
  {
    name: 'says that signatures are of another family of models, and sends them',
    async run(strata) {
      const respond = (name, count) => {
        if (count === 1) return answer(call);
        return name === model ? overloaded() : answer({ text: 'Done' });
      };
      const tools = [{ name: 'add', description: 'Adds', run: () => ({}) }];
      const { chat, sent } = await talk(strata, respond, { tools, fallback: ['gemini-2.5-flash'] });
      const events = await collect(chat.send('Add'));
      const found = events.flatMap((event) =>
        event.type === 'diagnostics' ? event.diagnostics : [],
      );
      ok(
        found.some(({ code, severity }) => /^signature/.test(code) && severity === 'warning'),
        JSON.stringify(found),
      );
      equal(sent.at(-1).body.contents[1].parts[0].thoughtSignature, call.thoughtSignature);
    },
  },
  {
    name: 'is for errors within a stream, on the Interactions API, and for the model of a message',
    async run(strata) {
      const fetch = async (_, init) => {
        const { model: name } = JSON.parse(decode(init.body));
        asked.push(name);
        if (name === model)
          return new Response(
            JSON.stringify({ error: { code: 'model_not_found', message: 'No such thing.' } }),
            { status: 404 },
          );
        return emulator('https://generativelanguage.googleapis.com/v1beta/interactions', init);
      };
      const asked = [];
      const emulator = strata.createEmulator({ now });
      const client = new strata.GeminiClient({ fetch, retry: false });
      const options = { model, now, wire: 'interactions', fallback: ['gemini-3.7-flash'] };
      const chat = new strata.Conversation(await strata.load(), client, options);
      await chat.ask('Hello');
      deepEqual(asked, [model, 'gemini-3.7-flash']);
      equal(chat.history.length, 2);

      const respond = (name) =>
        name === 'gemini-3.6-flash' ? overloaded() : answer({ text: 'Hi' });
      const { chat: other, sent } = await talk(strata, respond);
      await other.ask('Hello', { model: 'gemini-3.6-flash' });
      await other.ask('Again');
      deepEqual(namesOf(sent), ['gemini-3.6-flash', 'gemini-3.6-flash', 'gemini-3.7-flash', model]);
    },
  },
  {
    name: 'is not tried twice for one model, and is refused if it is no list',
    async run(strata) {
      const fallback = ['gemini-3.7-flash', 'gemini-3.7-flash', model];
      const { chat, sent } = await talk(strata, overloaded, { fallback });
      await rejects(() => chat.ask('Hello'), { code: 'api.UNAVAILABLE' });
      ok(sent.length <= 6, `${sent.length}`);
      await rejects(() => talk(strata, overloaded, { fallback: 'gemini-3.7-flash' }), {
        code: 'field.invalid',
      });
    },
  },
];
