// Queued and abandoned sends, odd tool results, and stores that hang: only one send runs at a time, every finished
// result is stored, and nothing waits forever.
import { deepEqual, equal, match, ok, rejects } from './assert.mjs';

const model = 'gemini-3.8-flash';
const now = () => '2026-11-21T10:00:00Z';
const text = (utf8) => new TextDecoder().decode(utf8);
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const stream = (...parts) =>
  new Response(
    `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] })}\r\n\r\n`,
  );
const signed = (name) => ({ functionCall: { name, args: {} }, thoughtSignature: 'c2lnbmVk' });
const call = (name) => ({ functionCall: { name, args: {} } });

/** Returns a conversation whose model calls the tools in `calls` and then answers "Done.". */
async function talk(strata, options = {}, calls = []) {
  const core = await strata.load();
  const fetch = async (_, { body, signal }) => {
    await sleep(5);
    if (signal.aborted) throw signal.reason;
    const last = JSON.parse(text(body)).contents.at(-1).parts;
    const answered = last.some(({ functionResponse }) => functionResponse);
    if (answered || calls.length === 0) return stream({ text: 'Done.' });
    return stream(signed(calls[0]), ...calls.slice(1).map(call));
  };
  const client = new strata.GeminiClient({ fetch, retry: false });
  const settings = { model, now, answerRetry: false, ...options };
  return { core, client, settings, chat: new strata.Conversation(core, client, settings) };
}

async function collect(events, into = []) {
  for await (const event of events) into.push(event);
  return into;
}

const turnsOf = ({ thread }) =>
  Array.from({ length: thread.length }, (_, i) => JSON.parse(text(thread.content(i))));
const textsIn = (chat) => turnsOf(chat).map(({ parts }) => parts[0].text);
const resultsOf = ({ parts }) => parts.map(({ functionResponse }) => functionResponse.response);

const queued = [
  {
    name: 'does not run a queued send together with the first after another leaves the queue',
    async run(strata) {
      let runs = 0;
      const pay = async () => (await sleep(20), ++runs);
      const tools = [{ name: 'pay', run: pay }];
      const { chat } = await talk(strata, { tools, concurrent: 'queue' }, ['pay']);
      const first = collect(chat.send('one'));
      const controller = new AbortController();
      const second = rejects(collect(chat.send('two', controller)));
      await sleep(10);
      controller.abort();
      await second;
      const third = collect(chat.send('three'));
      await Promise.all([first, third]);
      equal(runs, 2);
      deepEqual(
        turnsOf(chat).flatMap(({ role, parts }) => (role === 'user' ? (parts[0].text ?? []) : [])),
        ['one', 'three'],
      );
    },
  },
  {
    name: 'rejects rewind during a send while others are queued',
    async run(strata) {
      const { chat } = await talk(strata, { concurrent: 'queue' });
      const first = chat.send('one');
      await first.next();
      const controller = new AbortController();
      const second = rejects(collect(chat.send('two', controller)));
      controller.abort();
      await second;
      await rejects(chat.rewind(0), { code: 'conversation.busy' });
      await collect(first);
      await chat.rewind(0);
    },
  },
  {
    name: 'removes all listeners from the signal of a rejected send',
    async run(strata) {
      const { chat } = await talk(strata);
      let listeners = 0;
      const { signal } = new AbortController();
      const count = (by) =>
        function counted(...args) {
          listeners += by;
          return EventTarget.prototype[by > 0 ? 'addEventListener' : 'removeEventListener'].apply(
            this,
            args,
          );
        };
      signal.addEventListener = count(1);
      signal.removeEventListener = count(-1);
      const first = chat.send('a');
      await first.next();
      for (let i = 0; i < 5; i++) await rejects(collect(chat.send('b', { signal })));
      equal(listeners, 0);
      await first.return();
    },
  },
];

const left = [
  {
    name: 'throws nothing to a reader that leaves while the send waits for another attempt',
    async run(strata) {
      const core = await strata.load();
      const fetch = async () => new Response('{}', { status: 503 });
      const client = new strata.GeminiClient({ fetch, retry: { initialMs: 60_000 } });
      const chat = new strata.Conversation(core, client, { model, now });
      for await (const { type } of chat.send('one')) if (type === 'retry') break;
      equal(chat.thread.length, 1);
      equal(chat.unanswered, true);
    },
  },
];

const deep = (levels) => {
  let value = {};
  for (let i = 0; i < levels; i++) value = { value };
  return value;
};

const odd = {
  'nests too deep': () => deep(300),
  'is no text': () => Object.assign(Object.create(Error.prototype), { message: 5 }),
};

const results = [
  {
    name: 'replaces only the tool result that no request can contain with an error',
    async run(strata) {
      for (const [name, make] of Object.entries(odd)) {
        const tools = [
          { name: 'pay', run: () => 'PAID-4711' },
          { name: 'odd', run: make },
        ];
        const { chat } = await talk(strata, { tools }, ['pay', 'odd']);
        await collect(chat.send('Go'));
        const [paid, other] = resultsOf(turnsOf(chat)[2]);
        deepEqual(paid, { output: 'PAID-4711' }, name);
        ok('error' in other || 'output' in other, name);
      }
    },
  },
  {
    name: 'reports invalid media parts and every kind of thrown value as an error text',
    async run(strata) {
      const cyclic = {};
      cyclic.self = cyclic;
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      const throwing = (value) => () => {
        throw value;
      };
      const broken = [
        () => new strata.MediaResult('x', [cyclic]),
        () => new strata.MediaResult('x', [{ inlineData: { size: 10n } }]),
        throwing(Object.create(null)),
        throwing(proxy),
        throwing(Object.assign(new Error(), { message: { a: 1 } })),
        throwing(Object.defineProperty(new Error(), 'message', { get: throwing(1) })),
      ];
      for (const run of broken) {
        const { chat } = await talk(strata, { tools: [{ name: 'odd', run }] }, ['odd']);
        await collect(chat.send('Go'));
        const [{ error }] = resultsOf(turnsOf(chat)[2]);
        equal(typeof error, 'string');
      }
    },
  },
  {
    name: 'tells the model the message of an object that a tool throws and of an Error that it returns',
    async run(strata) {
      const throwing = (value) => () => {
        throw value;
      };
      for (const [run, expected] of [
        [throwing({ message: 'No such city' }), 'No such city'],
        [throwing({ code: 404 }), '{"code":404}'],
        [throwing('Closed'), 'Closed'],
        [() => new Error('Not today'), 'Not today'],
      ]) {
        const { chat } = await talk(strata, { tools: [{ name: 'odd', run }] }, ['odd']);
        await collect(chat.send('Go'));
        deepEqual(resultsOf(turnsOf(chat)[2]), [{ error: expected }]);
      }
    },
  },
  {
    name: 'ends only the render when a host function throws any kind of value',
    async run(strata) {
      const core = await strata.load();
      const templates = await strata.templates.loadTemplates();
      const thread = core.thread({ model });
      for (const value of [
        Object.create(null),
        { toString: () => deep(1) },
        Object.assign(new Error(), { message: Symbol('s') }),
      ]) {
        const f = () => {
          throw value;
        };
        await rejects(async () => templates.template('{{ 1|f }}', { filters: { f } }).render({}), {
          code: 'template.runtime',
        });
        equal(thread.length, 0);
      }
    },
  },
];

/** Returns a store whose method `hangs` never completes. */
function hangingStore(strata, hangs) {
  const store = new strata.MemoryStore();
  const stuck = { [hangs]: () => new Promise(() => {}) };
  return new Proxy(store, {
    get: (target, name) => stuck[name] ?? ((...args) => target[name](...args)),
  });
}

const stores = [
  {
    name: 'stops waiting for the store on abort and lets the next send start',
    async run(strata) {
      const tools = [{ name: 'long', run: () => 'x'.repeat(5000) }];
      for (const hangs of ['write', 'store']) {
        const store = hangingStore(strata, hangs);
        const { core, client, settings } = await talk(strata, { tools, maxResultChars: 99 }, [
          'long',
        ]);
        const stored = { ...settings, store, id: 'a' };
        const chat = await strata.Conversation.open(core, client, stored);
        const first = new AbortController();
        const reason = new Error('enough');
        const sending = collect(chat.send('Go', first));
        await sleep(30);
        first.abort(reason);
        ok((await rejects(sending)) === reason, hangs);
        const next = new AbortController();
        const again = collect(chat.send('And?', next));
        await sleep(10);
        next.abort(reason);
        ok((await rejects(again)) === reason, `${hangs}, again`);
        equal(textsIn(chat)[0], 'Go');
      }
    },
  },
  {
    name: 'stores turns that the caller replaced in the thread',
    async run(strata) {
      const store = new strata.MemoryStore();
      const { core, client, settings } = await talk(strata);
      const stored = { ...settings, store, id: 'a' };
      const chat = await strata.Conversation.open(core, client, stored);
      await collect(chat.send('one'));
      chat.thread.rewind(1);
      chat.thread.append({ role: 'model', parts: [{ text: 'Another.' }] });
      await collect(chat.send('two'));
      const opened = await strata.Conversation.open(core, client, stored);
      deepEqual(textsIn(opened), ['one', 'Another.', 'two', 'Done.']);
    },
  },
];

const freed = [
  {
    name: 'frees the thread when a conversation is disposed, even during a send',
    async run(strata) {
      const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
      const { chat } = await talk(strata);
      const { thread } = chat;
      const sending = chat.send('one');
      await sending.next();
      chat[dispose]();
      await sleep(30);
      match((await rejects(async () => thread.length)).message, /disposed/);
      await rejects(sending.next(), { name: 'ReferenceError', message: /disposed/ });
      equal((await sending.next()).done, true);
      chat[dispose]();
      await rejects(collect(chat.send('two')), { name: 'ReferenceError' });
    },
  },
  {
    name: 'refuses every use of a disposed conversation, and says so to what still waits',
    async run(strata) {
      const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
      const { chat } = await talk(strata);
      await collect(chat.send('one'));
      const { thread } = chat;
      const asked = rejects(chat.ask('two'), { name: 'ReferenceError', message: /disposed/ });
      chat[dispose]();
      await asked;
      for (const use of [() => chat.unanswered, () => chat.history, () => thread.tail]) {
        await rejects(async () => use(), { name: 'ReferenceError' });
      }
      for (const read of [
        async (events) => collect(events),
        async (events) => collect(events.textStream),
      ]) {
        const { chat: next } = await talk(strata);
        const events = next.stream('one');
        next[dispose]();
        await rejects(read(events), { name: 'ReferenceError', message: /disposed/ });
      }
      const sent = await talk(strata);
      const events = sent.chat.send('one');
      equal((await events.next()).value.type, 'turn');
      sent.chat[dispose]();
      await rejects(collect(events), { name: 'ReferenceError', message: /disposed/ });
      const streamed = await talk(strata);
      const response = streamed.chat.stream('one').toResponse();
      await sleep(1);
      streamed.chat[dispose]();
      match(await response.text(), /^event: failed\ndata: {"type":"failed","code":"aborted"}\n\n$/);
    },
  },
  {
    name: "does not dispose the caller's own thread",
    async run(strata) {
      const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
      const { core, client, settings } = await talk(strata);
      const thread = core.thread({ model, sequencing: 'api' });
      const chat = new strata.Conversation(core, client, { ...settings, thread });
      await collect(chat.send('one'));
      chat[dispose]();
      equal(thread.length, 2);
    },
  },
];

export default [...queued, ...left, ...results, ...stores, ...freed];
