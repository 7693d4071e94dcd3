// Tests connectThread against a server in memory: lost connections at every point, tools of the caller, aborts, watching.
import { deepEqual, equal, match, ok, rejects } from './assert.mjs';
import { answerOf, refused, savedLines, ThreadServer } from './remote-server.mjs';

const url = 'https://threads.example/base/';
const key = 'caller-key_0123456789';
const retry = { initialMs: 0, attempts: 4 };

async function* echo(message) {
  yield {
    type: 'turn',
    index: 0,
    content: JSON.stringify({ role: 'user', parts: [{ text: message }] }),
  };
  yield* answerOf(`You said ${message}`);
}

const call = { callId: '1.0', name: 'add', args: { a: 1, b: 2 } };
const bare = { name: 'add', args: call.args };

async function* calling(message) {
  yield {
    type: 'turn',
    index: 0,
    content: JSON.stringify({ role: 'user', parts: [{ text: message }] }),
  };
  yield { type: 'functionCall', name: 'add', args: call.args };
  yield { type: 'toolCall', call: bare, callId: '1.0', runsAt: 'caller' };
  const [result] = yield { type: 'waiting', calls: [call] };
  const { response, error } = result;
  const shown = error === undefined ? { output: response } : { error };
  yield { type: 'toolResult', call: bare, response: shown, callId: '1.0', runsAt: 'caller' };
  yield* answerOf(`The sum is ${response}`);
}

const adding = () => {
  const add = {
    name: 'add',
    parametersJsonSchema: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
    },
    runs: 0,
    run({ a, b }) {
      add.runs++;
      return a + b;
    },
  };
  return add;
};
// Members of the tool's own are not options.
const toolOf = ({ name, parametersJsonSchema }, run) => ({ name, parametersJsonSchema, run });
const counted = (add) => toolOf(add, (args) => add.run(args));

async function connected(remote, script, options = {}) {
  const server = new ThreadServer(script);
  const { fetch } = server;
  const common = { url, key, fetch, retry };
  const thread = await remote.connectThread({ ...common, ...options });
  return { server, thread, common };
}

/** Returns a thread whose tool has run, but whose result reached no server however often it was posted. */
async function unpostedResult(remote) {
  const add = adding();
  const { server, thread } = await connected(remote, calling, { tools: [counted(add)] });
  server.faults = Array.from({ length: retry.attempts }, () => ({ on: '/results', before: true }));
  await rejects(thread.ask('1 + 2'), { code: 'network' });
  return { add, server, thread };
}

/** Runs `work` in a page with this `fetch`, and returns what was fetched. */
async function asPage(origin, respond, work) {
  const { fetch } = globalThis;
  const isPage = globalThis.location !== undefined;
  const asked = [];
  globalThis.fetch = async (address, init) => {
    asked.push([String(address), init]);
    return respond(init, String(address));
  };
  if (!isPage) globalThis.location = { origin };
  try {
    await work();
  } finally {
    globalThis.fetch = fetch;
    if (!isPage) delete globalThis.location;
  }
  return asked;
}

async function read(events) {
  const all = [];
  for await (const event of events) all.push(event);
  return all;
}

const typesOf = (events) => events.map(({ type }) => type);
const decode = (bytes) => new TextDecoder().decode(bytes);

const echoed = ['sent', 'turn', 'request', 'text', 'text', 'text', 'turn', 'done', 'stored'];

const basics = [
  {
    name: 'creates a thread, sends, and yields the events of a conversation with bytes and ids',
    async run({ remote }) {
      const { server, thread } = await connected(remote, echo, { configuration: 'assistant' });
      deepEqual(server.thread.created, { configuration: 'assistant' });
      equal(thread.id, server.thread.id);
      const events = await read(thread.send('Hello'));
      deepEqual(typesOf(events), echoed);
      ok(events[1].content instanceof Uint8Array);
      deepEqual(JSON.parse(decode(events[1].content)).parts, [{ text: 'Hello' }]);
      equal(events[2].body.length, 0);
      deepEqual([events[0].eventId, events[8].eventId], ['1.1.1', '1.1.9']);
      const [post] = server.to('/messages');
      equal(post.path, '/threads/' + thread.id + '/messages');
      equal(post.headers.authorization, `Bearer ${key}`);
      match(post.headers['idempotency-key'], /^[\w-]{22}$/);
      deepEqual(post.body, { message: 'Hello' });
    },
  },
  {
    name: 'opens a thread by its id, and says if there is none',
    async run({ remote }) {
      const { server, thread, common } = await connected(remote, echo);
      const again = await remote.connectThread({ ...common, id: thread.id });
      equal((await again.ask('Hello')).text, 'You said Hello');
      const error = await rejects(remote.connectThread({ ...common, id: 'thread_none' }), {
        code: 'thread.unknown',
        status: 404,
        kind: 'notFound',
        name: 'RemoteError',
      });
      ok(error instanceof remote.GeminiError && error instanceof remote.StrataError);
      equal(server.threads.size, 1);
    },
  },
  {
    name: 'says that the server refuses the page, after one attempt, if its preflight was refused',
    async run({ remote }) {
      const page = globalThis.location?.origin ?? 'https://app.example';
      const refusing = (init) => {
        if (init.mode !== 'no-cors') throw new TypeError('Failed to fetch');
        return new Response(null);
      };
      const asked = await asPage(page, refusing, async () => {
        const error = await rejects(remote.connectThread({ url, key, retry }), {
          code: 'origin.not_allowed',
          name: 'RemoteError',
        });
        match(error.message, /^https:\/\/threads\.example refuses pages of http/);
        ok(error.message.includes(`List ${page} in ALLOWED_ORIGINS of the Worker`), error.message);
      });
      deepEqual(
        asked.map(([address, { mode = 'cors' }]) => `${mode} ${address}`),
        [`cors ${url}threads`, `no-cors ${url}health`],
      );
      const [, { headers = {}, credentials }] = asked[1];
      deepEqual([headers, credentials], [{}, 'omit']);
    },
  },
  {
    name: 'tries again in a page if the server cannot be reached, or has answered before',
    async run({ remote }) {
      const page = globalThis.location?.origin ?? 'https://app.example';
      const down = () => {
        throw new TypeError('Failed to fetch');
      };
      const unreachable = await asPage(page, down, () =>
        rejects(remote.connectThread({ url, key, retry }), { code: 'network' }),
      );
      equal(unreachable.filter(([, { mode }]) => mode !== 'no-cors').length, retry.attempts);

      // The address may be wrong: the default is three attempts, not ten.
      let attempts = 0;
      const unread = async () => (attempts++, down());
      const options = { url, key, fetch: unread, retry: { initialMs: 0 } };
      await rejects(remote.connectThread(options), { code: 'network' });
      equal(attempts, 3);

      const server = new ThreadServer(echo);
      let lost = 0;
      const losing = (init, address) => {
        if (/messages/.test(address) && lost++ === 0) return down();
        return server.fetch(address, init);
      };
      const asked = await asPage(page, losing, async () => {
        const thread = await remote.connectThread({ url, key, retry });
        equal((await thread.ask('Hello')).text, 'You said Hello');
      });
      equal(lost, 2);
      ok(asked.every(([, { mode }]) => mode !== 'no-cors'));
      // A page of the Worker itself sends no preflights.
      const own = await asPage('https://threads.example', down, () =>
        rejects(remote.connectThread({ url, key, retry }), { code: 'network' }),
      );
      ok(globalThis.location !== undefined || own.length === retry.attempts, `${own.length}`);
    },
  },
  {
    name: 'ask returns the last answer, stream its text and the events of a conversation',
    async run({ remote }) {
      const { thread } = await connected(remote, echo);
      deepEqual(await thread.ask('1'), {
        text: 'You said 1',
        usage: { totalTokenCount: 9 },
        finishReason: 'STOP',
        warnings: [],
      });
      const stream = thread.stream('2');
      deepEqual(await read(stream.textStream), ['You ', 'said ', '2']);
      equal((await stream.result).text, 'You said 2');
      deepEqual(typesOf(await read(thread.stream('3'))), echoed.slice(1, -1));
      match(await thread.stream('4').toResponse().text(), /"type":"done"/);
    },
  },
  {
    name: 'sends are different sends, also with the same text',
    async run({ remote }) {
      const { server, thread } = await connected(remote, echo);
      await thread.ask('Hello');
      await thread.ask('Hello');
      const keys = server.to('/messages').map(({ headers }) => headers['idempotency-key']);
      equal(new Set(keys).size, 2);
      equal(server.thread.sends.length, 2);
    },
  },
  {
    name: 'sends parts, Blobs as base64, Contents and their bytes',
    async run({ remote }) {
      const { server, thread } = await connected(remote, () => echo('it'));
      const bytes = new Uint8Array([1, 2, 3]);
      const content = '{ "role":"user", "parts":[ {"text":"\\u0041"} ] }';
      await thread.ask(['Look:', new Blob([bytes], { type: 'image/png' })]);
      await thread.ask({
        role: 'user',
        parts: [{ inlineData: { mimeType: 'image/png', data: bytes } }],
      });
      await thread.ask(new TextEncoder().encode(content));
      const [list, object, raw] = server.to('/messages');
      const image = { inlineData: { mimeType: 'image/png', data: 'AQID' } };
      deepEqual(list.body.message, { role: 'user', parts: [{ text: 'Look:' }, image] });
      deepEqual(object.body.message, { role: 'user', parts: [image] });
      equal(raw.text, `{"message":${content}}`);
      await rejects(thread.ask(new TextEncoder().encode('{"a":1},"b":{}')), {
        code: 'field.invalid',
      });
      await rejects(thread.ask([]), { code: 'field.invalid' });
      equal(server.to('/messages').length, 3);
    },
  },
  {
    name: 'reads turns page by page, exports, forks, rewinds, tells the state and deletes',
    async run({ remote }) {
      const { server, thread } = await connected(remote, echo);
      const turns = await read(thread.turns({ after: 1 }));
      deepEqual(
        turns.map(({ index, kind }) => [index, kind]),
        [
          [1, 'model'],
          [2, 'user'],
          [3, 'model'],
          [4, 'user'],
        ],
      );
      equal((await thread.history()).length, savedLines.length);
      deepEqual((await thread.history())[4], { role: 'user', parts: [{ text: 'Bye' }] });
      equal(decode(await thread.export()), savedLines.join(''));
      await thread.rewind(2);
      equal(server.thread.rewound, 2);
      const fork = await thread.fork({ turns: 1 });
      deepEqual(server.thread.created, { fork: thread.id, turns: 1 });
      equal((await fork.ask('Hello')).text, 'You said Hello');
      const { state, openCalls, configuration } = await fork.state();
      deepEqual([state, openCalls, configuration], ['idle', [], 'assistant']);
      equal(await fork.abort(), 0);
      await fork.delete();
      await rejects(fork.state(), { code: 'thread.unknown' });
    },
  },
  {
    name: 'imports a history of a new thread',
    async run({ remote }) {
      const saved = savedLines.join('');
      const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
      for (const [from, sent] of [
        [saved, saved],
        [new TextEncoder().encode(saved), saved],
        [contents, contents],
      ]) {
        const { server } = await connected(remote, echo, { from });
        deepEqual(server.thread.created, { from: sent });
      }
    },
  },
  {
    name: 'refuses options and inputs that are wrong before any request',
    async run({ remote }) {
      const fetch = () => {
        throw new Error('requested');
      };
      const mistakes = {
        'field.unknown': { urls: 'https://a.example' },
        'field.invalid': { url: 'threads.example' },
        'key.invalid': { key: 'with a space' },
      };
      for (const [code, wrong] of Object.entries(mistakes)) {
        await rejects(remote.connectThread({ url, key, fetch, ...wrong }), { code });
      }
      for (const wrong of [
        { url: 'ftp://a.example' },
        { id: '../other' },
        { key: '' },
        { tools: [{ googleSearch: {} }] },
      ]) {
        await rejects(remote.connectThread({ url, key, fetch, ...wrong }), {
          code: 'field.invalid',
        });
      }
      const { thread } = await connected(remote, echo);
      await rejects(read(thread.send('Hello', { signl: 1 })), { code: 'field.unknown' });
      await rejects(read(thread.watch({ after: 1 })), { code: 'field.invalid' });
      await rejects(read(thread.turns({ after: -1 })), { code: 'field.invalid' });
      await rejects(thread.answer([{ callId: '1.0' }]), { code: 'field.invalid' });
      await rejects(thread.rewind('2'), { code: 'field.invalid' });
    },
  },
  {
    name: 'keeps the key out of errors',
    async run({ remote }) {
      const { server, thread } = await connected(remote, echo, { retry: false });
      const body = { error: { code: 'internal', message: `wrong key ${key}` } };
      server.faults = [{ response: () => Response.json(body, { status: 500 }) }];
      const error = await rejects(thread.ask('Hello'), { code: 'internal' });
      equal(error.message, 'wrong key [secret]');
      server.faults = [
        {
          response() {
            throw new TypeError(`fetch failed for ${key}`);
          },
        },
      ];
      const lost = await rejects(thread.ask('Hello'), { code: 'network' });
      ok(!JSON.stringify(lost).includes(key) && !lost.message.includes(key));
    },
  },
];

/** Returns what a send with a tool looks like when nothing breaks, and the bytes of its connections. */
async function withoutFaults(remote) {
  const add = adding();
  const { thread, server } = await connected(remote, calling, { tools: [counted(add)] });
  const events = await read(thread.send('1 + 2'));
  const bytes = server.thread.log.reduce(
    (sum, { id, event }) => sum + `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`.length,
    0,
  );
  return { events, bytes };
}

async function breaksAt(remote, position, how, expected) {
  const add = adding();
  const { server, thread } = await connected(remote, calling, { tools: [counted(add)] });
  // The rest of the stream breaks once more.
  server.faults = [
    { on: '/messages', bytes: position, how },
    { on: '/events', bytes: position % 97, how },
  ];
  const events = await read(thread.send('1 + 2'));
  const where = `${how} at ${position}`;
  deepEqual(events, expected, where);
  equal(add.runs, 1, where);
  equal(server.thread.sends.length, 1, where);
  equal(server.to('/results').length, 1, where);
}

const lost = [
  {
    name: 'a connection that breaks at any byte costs no event, repeats none, sends once and runs the tool once',
    async run({ remote }) {
      const { events, bytes } = await withoutFaults(remote);
      equal(events.at(-1).type, 'stored');
      ok(bytes > 1000);
      for (let position = 0; position < bytes; position += 7) {
        await breaksAt(remote, position, position % 2 ? 'close' : 'error', events);
      }
    },
  },
  {
    name: 'a message whose response is lost is the same send',
    async run({ remote }) {
      for (const fault of [{ before: true }, { after: true }]) {
        const { server, thread } = await connected(remote, echo);
        server.faults = [{ on: '/messages', ...fault }];
        equal((await thread.ask('Hello')).text, 'You said Hello');
        const [first, second] = server
          .to('/messages')
          .map(({ headers, text }) => [headers['idempotency-key'], text]);
        deepEqual(first, second);
        equal(server.thread.sends.length, 1);
      }
    },
  },
  {
    name: 'a thread or a fork whose response is lost is created once',
    async run({ remote }) {
      for (const fault of [{ before: true }, { after: true }, { status: 503 }]) {
        const server = new ThreadServer(echo);
        server.faults = [
          { on: '/threads', ...fault },
          { on: '/fork', ...fault },
        ];
        const { fetch } = server;
        const thread = await remote.connectThread({ url, key, fetch, retry });
        const copy = await thread.fork({ turns: 0 });
        deepEqual([...server.threads.keys()], [thread.id, copy.id]);
        for (const path of ['/threads', '/fork']) {
          const keys = server.to(path).map(({ headers }) => headers['idempotency-key']);
          equal(keys.length, 2);
          match(keys[0], /^[\w-]{22}$/);
          equal(keys[1], keys[0]);
        }
        const [first, second] = ['/threads', '/fork'].map((path) => server.to(path)[0].headers);
        ok(first['idempotency-key'] !== second['idempotency-key']);
      }
    },
  },
  {
    name: 'a Worker that cannot answer now is asked again, after the time that it names',
    async run({ remote }) {
      for (const [status, code] of [
        [502, 'x'],
        [503, 'thread.unavailable'],
        [504, 'x'],
        [429, 'thread.busy'],
      ]) {
        const seen = [];
        const onRetry = (error, delayMs, attempt) =>
          seen.push([error.code, delayMs >= 10, attempt]);
        const { server, thread } = await connected(remote, echo, { onRetry });
        const body = { error: { code, message: 'later', retryAfterMs: 10 } };
        server.faults = [
          { on: '/messages', response: () => Response.json(body, { status }) },
          { on: '/messages', response: () => Response.json(body, { status }) },
        ];
        equal((await thread.ask('Hello')).text, 'You said Hello');
        deepEqual(seen, [
          [code, true, 1],
          [code, true, 2],
        ]);
        equal(server.thread.sends.length, 1);
      }
    },
  },
  {
    name: 'reads the delay in the header Retry-After',
    async run({ remote }) {
      const { server, thread } = await connected(remote, echo, { retry: false });
      server.faults = [{ status: 429, code: 'thread.busy', headers: { 'retry-after': '7' } }];
      await rejects(thread.ask('Hello'), {
        code: 'thread.busy',
        retryAfterMs: 7000,
        kind: 'rateLimit',
      });
    },
  },
  {
    name: 'what another attempt cannot change is thrown at once',
    async run({ remote }) {
      for (const [status, code, kind] of [
        [401, 'caller.key_wrong', 'auth'],
        [404, 'thread.unknown', 'notFound'],
        [422, 'idempotency.mismatch', 'invalid'],
        [410, 'events.expired', 'invalid'],
      ]) {
        const { server, thread } = await connected(remote, echo);
        server.faults = [{ on: '/messages', status, code }];
        await rejects(thread.ask('Hello'), { code, status, kind });
        equal(server.to('/messages').length, 1);
      }
    },
  },
  {
    name: 'a key that is a word of a code leaves the code as it is',
    async run({ remote }) {
      const { server, thread } = await connected(remote, echo, { key: 'unknown' });
      server.faults = [{ on: '/messages', status: 404, code: 'thread.unknown' }];
      await rejects(thread.ask('Hello'), { code: 'thread.unknown', status: 404 });
    },
  },
  {
    name: 'attempts are bounded, and counted anew after each event',
    async run({ remote }) {
      const { server, thread } = await connected(remote, echo);
      server.faults = Array.from({ length: 10 }, () => ({ on: '/messages', before: true }));
      await rejects(thread.ask('Hello'), { code: 'network', kind: 'network' });
      equal(server.to('/messages').length, retry.attempts);
      server.faults = [
        ...Array.from({ length: 3 }, () => ({ on: '/messages', before: true })),
        { on: '/messages', bytes: 100, how: 'error' },
        ...Array.from({ length: 2 }, () => ({ on: '/events', before: true })),
      ];
      equal((await thread.ask('Hello')).text, 'You said Hello');
      // What has answered once gets more attempts than a new address.
      const known = await connected(remote, echo, { retry: { initialMs: 0 } });
      known.server.faults = Array.from({ length: 9 }, () => ({ on: '/messages', before: true }));
      equal((await known.thread.ask('Hello')).text, 'You said Hello');
      // Streams without an event do not count.
      server.faults = Array.from({ length: 10 }, () => ({
        on: '/messages',
        bytes: 5,
        how: 'close',
      }));
      await rejects(thread.ask('Hello'), { code: 'network' });
    },
  },
  {
    name: 'comments show that a connection is alive, and are no events',
    async run({ remote }) {
      const { server, thread } = await connected(remote, echo, {
        retry: { initialMs: 0, attempts: 2 },
      });
      const ping = () =>
        new Response(': ping\n\n', { headers: { 'content-type': 'text/event-stream' } });
      server.faults = Array.from({ length: 5 }, () => ({ on: '/messages', response: ping }));
      equal((await thread.ask('Hello')).text, 'You said Hello');
    },
  },
  {
    name: 'a server that is none is reported at once',
    async run({ remote }) {
      const html = () => new Response('<html>', { headers: { 'content-type': 'text/html' } });
      const stream = (text) => () =>
        new Response(text, { headers: { 'content-type': 'text/event-stream' } });
      const answers = [
        html,
        stream('id: 1.1.1\ndata: {\n\n'),
        stream('id: 1.1.1\ndata: {"text":1}\n\n'),
        stream('data: {"type":"text","text":"x"}\n\n'),
      ];
      for (const response of answers) {
        const { server, thread } = await connected(remote, echo);
        server.faults = [{ on: '/messages', response }];
        await rejects(thread.ask('Hello'), { code: 'answer.invalid' });
        equal(server.to('/messages').length, 1);
      }
      const json = { headers: { 'content-type': 'application/json' } };
      for (const response of [html, () => new Response('{"id":', json)]) {
        const fetch = async () => response();
        await rejects(remote.connectThread({ url, key, fetch, retry }), {
          name: 'RemoteError',
          code: 'answer.invalid',
        });
      }
      const refuses = async () => new Response('<html>', { status: 403 });
      await rejects(remote.connectThread({ url, key, fetch: refuses }), {
        code: 'api.403',
        kind: 'auth',
      });
    },
  },
  {
    name: 'events that a server repeats are yielded once',
    async run({ remote }) {
      const { server, thread } = await connected(remote, echo);
      const event = (n, value) => `id: 1.1.${n}\ndata: ${JSON.stringify(value)}\n\n`;
      const sent = event(1, { type: 'sent', send: 1, thread: 't' });
      const text = event(10, { type: 'text', text: 'x' });
      const stored = event(11, { type: 'stored', turns: 2 });
      const body = [sent, text, text, sent, stored].join('');
      const headers = { 'content-type': 'text/event-stream' };
      server.faults = [{ on: '/messages', response: () => new Response(body, { headers }) }];
      deepEqual(typesOf(await read(thread.send('Hello'))), ['sent', 'text', 'stored']);
    },
  },
  {
    name: 'events arrive in any form of lines and in any pieces',
    async run({ remote }) {
      const events = [
        { type: 'sent', send: 1, thread: 't' },
        { type: 'text', text: 'Zażółć 🦊' },
        { type: 'done', text: '🦊', finishReason: 'STOP', usage: {} },
        { type: 'stored', turns: 2 },
      ];
      const text = events
        .map(
          (event, i) =>
            `: comment\r\nevent: x\r\nid:1.1.${i + 1}\r\ndata: ${JSON.stringify(event)}\r\n\r\n`,
        )
        .join('');
      const bytes = new TextEncoder().encode(text);
      const body = () =>
        new ReadableStream({
          start(controller) {
            for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
            controller.close();
          },
        });
      const { server, thread } = await connected(remote, echo);
      const headers = { 'content-type': 'text/event-stream' };
      server.faults = [{ on: '/messages', response: () => new Response(body(), { headers }) }];
      const received = await read(thread.send('Hello'));
      deepEqual(
        received,
        events.map((event, i) => ({ ...event, eventId: `1.1.${i + 1}` })),
      );
    },
  },
  {
    name: 'a send that another process continues marks the unfinished answer as a fault',
    async run({ remote }) {
      async function* restarted(message) {
        yield { type: 'text', text: 'You ' };
        yield { type: 'resumed', attempt: 2 };
        yield* answerOf(`You said ${message}`);
      }
      const { thread } = await connected(remote, restarted);
      const events = await read(thread.send('Hello'));
      deepEqual(typesOf(events).slice(0, 4), ['sent', 'text', 'fault', 'resumed']);
      equal(events[2].code, 'answer.cut');
      equal(events[3].eventId, '1.2.1');
      equal((await thread.ask('again')).text, 'You said again');
      await rejects(read(thread.stream('text').textStream), { code: 'answer.cut' });
      async function* between(message) {
        yield { type: 'resumed', attempt: 2 };
        yield* answerOf(message);
      }
      const { thread: other } = await connected(remote, between);
      ok(!typesOf(await read(other.send('Hello'))).includes('fault'));
    },
  },
  {
    name: 'a send that fails throws the error of the Worker',
    async run({ remote }) {
      const error = {
        code: 'api.RESOURCE_EXHAUSTED',
        message: 'quota',
        status: 429,
        retryAfterMs: 5,
      };
      async function* failing() {
        yield { type: 'failed', error };
      }
      const { server, thread } = await connected(remote, failing);
      const thrown = await rejects(thread.ask('Hello'), {
        ...error,
        kind: 'rateLimit',
        name: 'RemoteError',
      });
      ok(thrown instanceof remote.GeminiError);
      equal(server.to('/messages').length, 1);
      equal(server.to('/abort').length, 0);
      const diagnostics = [
        { code: 'turn.first_not_user', severity: 'error', path: '', message: 'x' },
      ];
      async function* refusing() {
        yield { type: 'failed', error: { code: 'turn.first_not_user', message: 'x', diagnostics } };
      }
      const { thread: other } = await connected(remote, refusing);
      await rejects(other.ask('Hello'), { code: 'turn.first_not_user', diagnostics });
    },
  },
];

const rejoining = [
  {
    name: 'a blank text continues a send that waits, also in another process, and asks its tools',
    async run({ remote }) {
      const { server, common } = await connected(remote, calling);
      const waits = await remote.connectThread({ ...common, id: server.thread.id });
      await rejects(waits.ask('1 + 2'), { code: 'conversation.waiting' });
      const again = await read(waits.send(''));
      deepEqual(again, [{ type: 'waiting', calls: [call] }]);
      const add = adding();
      const tools = [counted(add)];
      const other = await remote.connectThread({ ...common, id: server.thread.id, tools });
      const events = await read(other.send(' '));
      deepEqual(typesOf(events).slice(0, 2), ['waiting', 'toolResult']);
      equal(events.find(({ type }) => type === 'done').text, 'The sum is 3');
      deepEqual([add.runs, server.thread.sends.length], [1, 1]);
    },
  },
  {
    name: 'a call that its tool paused is asked for again by a blank text',
    async run({ remote }) {
      let sum;
      const later = toolOf(adding(), () => {
        if (sum === undefined) throw new remote.PausedCall();
        return sum;
      });
      const { thread } = await connected(remote, calling, { tools: [later] });
      await rejects(thread.ask('1 + 2'), { code: 'conversation.waiting' });
      await rejects(thread.ask(''), { code: 'conversation.waiting' });
      sum = 3;
      equal((await thread.ask('')).text, 'The sum is 3');
    },
  },
  {
    name: 'a blank text finds the end of a send whose connection was lost, from the next event on',
    async run({ remote }) {
      for (const lostAt of [250, 900]) {
        const add = adding();
        const { server, thread } = await connected(remote, calling, { tools: [counted(add)] });
        const expected = (await withoutFaults(remote)).events;
        const gone = Array.from({ length: retry.attempts }, () => ({ before: true }));
        server.faults = [{ on: '/messages', bytes: lostAt, how: 'error' }];
        server.faults.push(...gone.map((fault) => ({ on: '/events', ...fault })));
        const first = [];
        const reading = (async () => {
          for await (const event of thread.send('1 + 2')) first.push(event);
        })();
        await rejects(reading, { code: 'network' });
        const rest = await read(thread.send(''));
        deepEqual([...first, ...rest], expected);
        deepEqual([add.runs, server.thread.sends.length], [1, 1]);
        // The end was received, so that nothing is left.
        await thread.ask('');
        equal(server.thread.sends.length, 2);
      }
    },
  },
  {
    name: 'a blank text after events that expired continues the thread without them',
    async run({ remote }) {
      const { server, thread } = await connected(remote, echo);
      const gone = Array.from({ length: retry.attempts }, () => ({ before: true }));
      server.faults = [{ on: '/messages', bytes: 250, how: 'error' }];
      server.faults.push(...gone.map((fault) => ({ on: '/events', ...fault })));
      await rejects(thread.ask('Hello'), { code: 'network' });
      server.faults = [{ on: '/events', status: 410, code: 'events.expired' }];
      await rejects(thread.ask(''), { code: 'events.expired' });
      await thread.ask('');
      equal(server.thread.sends.length, 2);
    },
  },
  {
    name: 'a blank text joins a send that runs, and leaving it aborts that send',
    async run({ remote }) {
      const { server, thread, common } = await connected(remote, endless);
      const running = thread.ask('Hello').catch(({ code }) => code);
      while (!server.thread.finish) await new Promise((resolve) => setTimeout(resolve, 1));
      const other = await remote.connectThread({ ...common, id: thread.id });
      const controller = new AbortController();
      const joined = other.ask('', { signal: controller.signal });
      while (server.to('/events').length === 0)
        await new Promise((resolve) => setTimeout(resolve, 1));
      controller.abort(new Error('enough'));
      await rejects(joined, { message: 'enough' });
      equal(await running, 'send.aborted');
      equal(server.thread.sends.length, 1);
    },
  },
  {
    name: 'a message answers open calls first, and is not added while some stay open',
    async run({ remote }) {
      const { server, thread, common } = await connected(remote, calling);
      await rejects(thread.ask('1 + 2'), { code: 'conversation.waiting' });
      await rejects(thread.ask('next'), { code: 'conversation.waiting' });
      for await (const { type } of thread.send('next')) if (type === 'waiting') break;
      deepEqual([server.thread.sends.length, server.to('/abort').length], [1, 0]);
      const { id } = thread;
      const script = server.script;
      server.script = (message, ...others) =>
        message === 'next' ? echo(message) : script(message, ...others);
      const other = await remote.connectThread({ ...common, id, tools: [counted(adding())] });
      equal((await other.ask('next')).text, 'You said next');
      equal(server.thread.sends.length, 2);
    },
  },
];

const callersTools = [
  {
    name: 'declares the tools of a new thread, in the form of the API',
    async run({ remote }) {
      const { tool } = remote;
      const schema = {
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
      };
      const weather = tool({ name: 'weather', description: 'd', schema, run: () => 1 });
      const source = { discover: async () => [{ name: 'found', run: () => 1 }] };
      const { server } = await connected(remote, echo, { tools: [weather, source] });
      deepEqual(server.thread.created.tools, [
        { name: 'weather', description: 'd', parametersJsonSchema: schema },
        { name: 'found' },
      ]);
      await rejects(connected(remote, echo, { tools: [weather, weather] }), {
        code: 'tools.name_taken',
      });
    },
  },
  {
    name: 'runs a tool that the model calls, posts the result, and continues the same send',
    async run({ remote }) {
      const { events } = await withoutFaults(remote);
      deepEqual(typesOf(events).slice(0, 6), [
        'sent',
        'turn',
        'functionCall',
        'toolCall',
        'waiting',
        'toolResult',
      ]);
      deepEqual([events[3].callId, events[3].runsAt], ['1.0', 'caller']);
      deepEqual(events[5].response, { output: 3 });
      equal(events.find(({ type }) => type === 'done').text, 'The sum is 3');
    },
  },
  {
    name: 'a response waits for the tools that run here',
    async run({ remote }) {
      const { thread } = await connected(remote, calling, { tools: [counted(adding())] });
      const text = await thread.stream('1 + 2').toResponse().text();
      deepEqual(text.match(/^event: \w+/gm).slice(-2), ['event: text', 'event: done']);
      const other = await connected(remote, calling);
      const waiting = await other.thread.stream('1 + 2').toResponse().text();
      match(waiting, /event: failed\ndata: .*conversation\.waiting.*\n\n$/);
    },
  },
  {
    name: 'a result whose response is lost is posted again, and the tool does not run again',
    async run({ remote }) {
      for (const fault of [{ before: true }, { after: true }, { status: 503 }]) {
        const add = adding();
        const { server, thread } = await connected(remote, calling, { tools: [counted(add)] });
        server.faults = [{ on: '/results', ...fault }];
        equal((await thread.ask('1 + 2')).text, 'The sum is 3');
        equal(add.runs, 1);
        const [first, second] = server.to('/results');
        deepEqual(first.body, { results: [{ callId: '1.0', response: 3 }] });
        equal(second.text, first.text);
      }
    },
  },
  {
    name: 'a result that could not be posted is posted by the next send, and the tool does not run again',
    async run({ remote }) {
      const { add, server, thread } = await unpostedResult(remote);
      deepEqual([add.runs, server.to('/abort').length], [1, 0]);
      equal((await thread.ask('')).text, 'The sum is 3');
      equal(add.runs, 1);
    },
  },
  {
    name: 'a result that was not posted is forgotten when its send is over',
    async run({ remote }) {
      const { add, server, thread } = await unpostedResult(remote);
      server.thread.abort();
      await rejects(thread.ask(''), { code: 'send.aborted' });
      equal((await thread.ask('1 + 2')).text, 'The sum is 3');
      equal(add.runs, 2);
    },
  },
  {
    name: 'the same call of a later send runs again',
    async run({ remote }) {
      const add = adding();
      const { server, thread } = await connected(remote, calling, { tools: [counted(add)] });
      await thread.ask('1 + 2');
      // Somebody else rewinds the thread, so that the next call has the same id.
      server.thread.results.clear();
      equal((await thread.ask('1 + 2')).text, 'The sum is 3');
      equal(add.runs, 2);
    },
  },
  {
    name: 'a call that somebody else answered is left to them',
    async run({ remote }) {
      const server = new ThreadServer(calling);
      const common = { url, key, fetch: server.fetch, retry };
      const run = async () => {
        server.thread.answer([{ callId: '1.0', response: 33 }]);
        return 3;
      };
      const thread = await remote.connectThread({ ...common, tools: [toolOf(adding(), run)] });
      equal((await thread.ask('1 + 2')).text, 'The sum is 33');
      equal(server.to('/results').length, 1);
    },
  },
  {
    name: 'arguments that do not match, tools that throw, and results with media',
    async run({ remote }) {
      const { MediaResult, tool } = remote;
      const properties = { a: { type: 'string' }, b: { type: 'number' } };
      const strict = tool({ name: 'add', schema: { type: 'object', properties }, run: () => 1 });
      const throwing = toolOf(adding(), () => {
        throw new Error('no sum today');
      });
      const media = toolOf(adding(), () => {
        const inlineData = { mimeType: 'image/png', data: new Uint8Array([1, 2, 3]) };
        return new MediaResult('a chart', [{ inlineData }]);
      });
      const posted = async (one) => {
        const { server, thread } = await connected(remote, calling, { tools: [one] });
        const events = await read(thread.send('1 + 2'));
        return { events, result: server.to('/results')[0].body.results[0] };
      };
      const invalid = await posted(strict);
      match(invalid.result.error, /^Not run: the arguments do not match/);
      const reported = invalid.events.find(({ type }) => type === 'invalidArguments');
      deepEqual([reported.call, reported.issues[0].path], [bare, '/a']);
      deepEqual((await posted(throwing)).result, { callId: '1.0', error: 'no sum today' });
      const inlineData = { mimeType: 'image/png', data: 'AQID' };
      deepEqual((await posted(media)).result, {
        callId: '1.0',
        response: 'a chart',
        parts: [{ inlineData }],
      });
      deepEqual((await posted(toolOf(adding(), () => {}))).result, {
        callId: '1.0',
        response: null,
      });
    },
  },
  {
    name: 'calls that nobody here answers end the send, and stay open',
    async run({ remote }) {
      const { PausedCall } = remote;
      const pausing = toolOf(adding(), () => {
        throw new PausedCall();
      });
      for (const tools of [undefined, [], [pausing]]) {
        const { server, thread } = await connected(remote, calling, { tools });
        const events = await read(thread.send('1 + 2'));
        deepEqual(events.at(-1), {
          type: 'waiting',
          calls: [call],
          eventId: events.at(-1).eventId,
        });
        deepEqual((await thread.state()).openCalls, [call]);
        deepEqual([server.to('/abort').length, server.to('/results').length], [0, 0]);
        const { thread: other } = await connected(remote, calling, { tools });
        await rejects(other.ask('1 + 2'), { code: 'conversation.waiting' });
        await rejects(other.stream('').result, { code: 'conversation.waiting' });
      }
    },
  },
  {
    name: 'answer posts the result of a call while the send is read, and the send continues',
    async run({ remote }) {
      const { server, thread } = await connected(remote, calling);
      const types = [];
      for await (const event of thread.send('1 + 2')) {
        types.push(event.type);
        if (event.type !== 'waiting') continue;
        const results = [{ callId: event.calls[0].callId, response: 4 }];
        await thread.answer(results);
        await thread.answer(results);
        await rejects(thread.answer([{ callId: '1.0', error: 'no' }]), {
          code: 'call.answered',
          status: 409,
        });
        await rejects(thread.answer([{ callId: '7.0', error: 'no' }]), { code: 'call.unknown' });
      }
      equal(types.at(-1), 'stored');
      equal(server.thread.sends.length, 1);
    },
  },
  {
    name: 'confirmTool approves a call here, and calls run in parallel',
    async run({ remote }) {
      const calls = ['1.0', '1.1', '1.2'].map((callId) => ({ ...call, callId }));
      async function* several() {
        const results = yield { type: 'waiting', calls };
        yield* answerOf(results.map(({ response, error }) => response ?? error).join(' '));
      }
      let running = 0;
      let most = 0;
      const slow = {
        ...toolOf(adding(), async () => {
          most = Math.max(most, ++running);
          await new Promise((resolve) => setTimeout(resolve, 1));
          return running--;
        }),
        confirm: true,
      };
      let asked = 0;
      const confirmTool = () => (asked++ === 0 ? 'not this one' : true);
      const { thread } = await connected(remote, several, {
        tools: [slow],
        confirmTool,
        maxParallelTools: 2,
      });
      match((await thread.ask('go')).text, /^not this one \d \d$/);
      ok(most <= 2);
    },
  },
];

/** A send that never ends by itself. */
async function* endless(message, thread) {
  yield { type: 'text', text: 'and ' };
  yield { type: 'text', text: 'so ' };
  await new Promise((resolve) => (thread.finish = resolve));
  yield { type: 'text', text: 'on' };
}

const leaving = [
  {
    name: 'aborting the signal aborts the send in the Worker, and throws its reason',
    async run({ remote }) {
      const { server, thread } = await connected(remote, endless);
      const controller = new AbortController();
      const reason = new Error('enough');
      const events = thread.send('Hello', { signal: controller.signal });
      equal((await events.next()).value.type, 'sent');
      const pending = (async () => {
        for await (const { type } of events) if (type === 'text') controller.abort(reason);
      })();
      equal(await pending.catch((error) => error), reason);
      deepEqual(
        server.to('/abort').map(({ body }) => body),
        [{ send: 1 }],
      );
      equal(server.thread.state, 'idle');
    },
  },
  {
    name: 'an abort while nothing comes, and one of ask and stream, reach the Worker, too',
    async run({ remote }) {
      for (const start of ['ask', 'stream']) {
        const { server, thread } = await connected(remote, endless);
        const controller = new AbortController();
        const { signal } = controller;
        const pending =
          start === 'ask'
            ? thread.ask('Hello', { signal })
            : thread.stream('Hello', { signal }).result;
        const settled = pending.catch((error) => error);
        while (!server.thread.finish) await new Promise((resolve) => setTimeout(resolve, 1));
        controller.abort(new Error('enough'));
        equal((await settled).message, 'enough');
        deepEqual(
          server.to('/abort').map(({ body }) => body),
          [{ send: 1 }],
        );
      }
    },
  },
  {
    name: 'an abort before the response waits for the number of the send',
    async run({ remote }) {
      const { server, thread } = await connected(remote, endless);
      const controller = new AbortController();
      let respond;
      const held = new Promise((resolve) => (respond = resolve));
      const { handle } = server;
      server.fetch = undefined;
      server.handle = async function (...parameters) {
        const response = await handle.apply(server, parameters);
        if (parameters[0].endsWith('/messages')) await held;
        return response;
      };
      const sending = thread.ask('Hello', { signal: controller.signal }).catch((error) => error);
      while (server.to('/messages').length === 0)
        await new Promise((resolve) => setTimeout(resolve, 1));
      controller.abort(new Error('enough'));
      equal(server.to('/abort').length, 0);
      respond();
      equal((await sending).message, 'enough');
      deepEqual(
        server.to('/abort').map(({ body }) => body),
        [{ send: 1 }],
      );
    },
  },
  {
    name: 'an abort of a send that waits for others reaches the Worker before its first event',
    async run({ remote }) {
      const { server, thread } = await connected(remote, endless);
      const controller = new AbortController();
      const headers = { 'content-type': 'text/event-stream', 'x-send': '7' };
      const silent = () => new Response(new ReadableStream(), { headers });
      server.faults = [{ on: '/messages', response: silent }];
      const sending = thread.ask('Hello', { signal: controller.signal }).catch((error) => error);
      while (server.to('/messages').length === 0)
        await new Promise((resolve) => setTimeout(resolve, 1));
      controller.abort(new Error('enough'));
      equal((await sending).message, 'enough');
      deepEqual(
        server.to('/abort').map(({ body }) => body),
        [{ send: 7 }],
      );
    },
  },
  {
    name: 'an abort while a message waits for its next attempt reaches the send, if there is one',
    async run({ remote }) {
      for (const [fault, sends] of [
        [{ after: true }, 1],
        [{ before: true }, 0],
      ]) {
        const controller = new AbortController();
        const onRetry = () => controller.abort(new Error('enough'));
        const waits = { retry: { initialMs: 60_000, maxMs: 60_000 }, onRetry };
        const { server, thread } = await connected(remote, endless, waits);
        server.faults = [{ on: '/messages', ...fault }];
        const { signal } = controller;
        await rejects(thread.ask('Hello', { signal }), { message: 'enough' });
        deepEqual([server.thread.sends.length, server.thread.state], [sends, 'idle']);
        const [{ body, headers }] = server.to('/abort');
        deepEqual(body, {});
        equal(headers['idempotency-key'], server.to('/messages')[0].headers['idempotency-key']);
      }
    },
  },
  {
    name: 'a signal that is aborted already sends nothing',
    async run({ remote }) {
      const { server, thread } = await connected(remote, echo);
      await rejects(thread.ask('Hello', { signal: AbortSignal.abort(new Error('never')) }), {
        message: 'never',
      });
      deepEqual([server.to('/messages').length, server.to('/abort').length], [0, 0]);
      const signal = AbortSignal.abort(new Error('never'));
      await rejects(remote.connectThread({ url, key, fetch: server.fetch, signal }), {
        message: 'never',
      });
    },
  },
  {
    name: 'leaving the loop aborts the send, unless the answer is complete',
    async run({ remote }) {
      const { server, thread } = await connected(remote, endless);
      for await (const { type } of thread.send('Hello')) if (type === 'text') break;
      deepEqual(
        server.to('/abort').map(({ body }) => body),
        [{ send: 1 }],
      );
      const { server: other, thread: done } = await connected(remote, echo);
      for await (const { type } of done.send('Hello')) if (type === 'done') break;
      equal(other.to('/abort').length, 0);
      await read(done.send('Hello'));
      equal(other.to('/abort').length, 0);
    },
  },
  {
    name: 'a reader that leaves at `waiting` leaves the calls open, and an abort there ends the send',
    async run({ remote }) {
      const add = adding();
      const { server, thread } = await connected(remote, calling, { tools: [counted(add)] });
      for await (const { type } of thread.send('1 + 2')) if (type === 'waiting') break;
      deepEqual([server.to('/abort').length, add.runs], [0, 0]);
      deepEqual((await thread.state()).openCalls, [call]);
      const { server: other, thread: aborted } = await connected(remote, calling);
      const controller = new AbortController();
      const reading = (async () => {
        for await (const { type } of aborted.send('1 + 2', { signal: controller.signal }))
          if (type === 'waiting') controller.abort(new Error('enough'));
      })();
      await rejects(reading, { message: 'enough' });
      equal(other.to('/abort').length, 1);
    },
  },
  {
    name: 'a Worker that cannot be told of an abort delays nothing',
    async run({ remote }) {
      const { server, thread } = await connected(remote, endless);
      server.faults = Array.from({ length: 9 }, () => ({ on: '/abort', before: true }));
      for await (const { type } of thread.send('Hello')) if (type === 'text') break;
      ok(server.to('/abort').length >= 1);
      ok(server.to('/messages')[0].signal.aborted, 'the connection is closed');
    },
  },
  {
    name: 'an abort while a tool runs aborts the send and posts nothing, and the call can run again',
    async run({ remote }) {
      const controller = new AbortController();
      let runs = 0;
      const run = async () => {
        if (++runs > 1) return 3;
        controller.abort(new Error('enough'));
        return new Promise(() => {});
      };
      const tools = [toolOf(adding(), run)];
      const { server, thread } = await connected(remote, calling, { tools });
      const { signal } = controller;
      await rejects(thread.ask('1 + 2', { signal }), { message: 'enough' });
      deepEqual([server.to('/results').length, server.to('/abort').length], [0, 1]);
      equal((await thread.ask('')).text, 'The sum is 3');
      equal(runs, 2);
    },
  },
  {
    name: 'streams that have ended are not canceled, so that their connections serve the next requests',
    async run({ remote }) {
      const { server, thread } = await connected(remote, calling, {
        tools: [adding()].map(counted),
      });
      await thread.ask('1 + 2');
      equal(server.canceled, 0);
      const { server: other, thread: left } = await connected(remote, endless);
      for await (const { type } of left.send('Hello')) if (type === 'text') break;
      equal(other.canceled, 1);
      for await (const { type } of left.watch()) if (type === 'text') break;
      equal(other.canceled, 2);
    },
  },
  {
    name: 'a send that nobody reads does not start',
    async run({ remote }) {
      const { server, thread } = await connected(remote, echo);
      const events = thread.send('Hello');
      await events.return();
      equal(server.to('/messages').length, 0);
      deepEqual(await events.next(), { done: true, value: undefined });
    },
  },
];

const watching = [
  {
    name: 'watch yields the last send from its beginning, then what comes, also over lost connections',
    async run({ remote }) {
      const { server, thread } = await connected(remote, echo);
      await thread.ask('1');
      await thread.ask('2');
      server.faults = [{ on: '/events', bytes: 250, how: 'error' }];
      const seen = [];
      for await (const event of thread.watch()) {
        seen.push(event);
        if (seen.length === echoed.length) void thread.ask('3');
        if (seen.length === 2 * echoed.length) break;
      }
      deepEqual(typesOf(seen), [...echoed, ...echoed]);
      deepEqual([seen[0].eventId, seen.at(-1).eventId], ['2.1.1', '3.1.9']);
      equal(server.to('/abort').length, 0);
      const [late] = await (async () => {
        for await (const event of thread.watch({ after: '2.1.8' })) return [event];
      })();
      equal(late.eventId, '2.1.9');
    },
  },
  {
    name: 'watch misses nothing if its connection breaks before the first event',
    async run({ remote }) {
      const { server, thread } = await connected(remote, echo);
      const headers = { 'content-type': 'text/event-stream' };
      const opening = (id) => () => new Response(`id: ${id}\n\n`, { headers });
      const meanwhile = async () => {
        await thread.ask('1');
        await thread.ask('2');
        throw new TypeError('connection lost');
      };
      server.faults = [
        { on: '/events', response: opening('0.0.0') },
        { on: '/events', response: meanwhile },
      ];
      const seen = [];
      for await (const { type, send } of thread.watch()) {
        if (type === 'sent') seen.push(send);
        if (type === 'stored' && seen.length === 2) break;
      }
      deepEqual(seen, [1, 2]);
      // Streams that only say where they begin are no progress.
      const before = server.to('/events').length;
      server.faults = Array.from({ length: 9 }, () => ({
        on: '/events',
        response: opening('2.0.0'),
      }));
      await rejects(read(thread.watch()), { code: 'network' });
      equal(server.to('/events').length - before, retry.attempts);
    },
  },
  {
    name: 'two watchers see the same events',
    async run({ remote }) {
      const { thread } = await connected(remote, echo);
      await thread.ask('1');
      const upToEnd = async (watch) => {
        const seen = [];
        for await (const event of watch) {
          seen.push(event);
          if (event.type === 'stored') return seen;
        }
      };
      const [first, second] = await Promise.all([upToEnd(thread.watch()), upToEnd(thread.watch())]);
      deepEqual(first, second);
    },
  },
  {
    name: 'a failed send is an event of watch, a deleted thread ends it, and a signal, too',
    async run({ remote }) {
      async function* failing() {
        yield { type: 'failed', error: { code: 'send.deadline', message: 'late' } };
      }
      const { server, thread } = await connected(remote, failing);
      await rejects(thread.ask('Hello'), { code: 'send.deadline' });
      const types = [];
      const watch = (async () => {
        for await (const { type } of thread.watch()) {
          types.push(type);
          if (type === 'stored') await thread.delete();
        }
      })();
      await rejects(watch, { code: 'thread.deleted' });
      deepEqual(types, ['sent', 'failed', 'stored']);
      const { thread: other } = await connected(remote, echo);
      await other.ask('Hello');
      const controller = new AbortController();
      const reading = (async () => {
        for await (const { type } of other.watch({ signal: controller.signal }))
          if (type === 'stored') controller.abort(new Error('enough'));
      })();
      await rejects(reading, { message: 'enough' });
      ok(server);
    },
  },
  {
    name: 'a deletion whose response is lost is a deletion',
    async run({ remote }) {
      const { server, thread } = await connected(remote, echo);
      server.faults = [{ method: 'DELETE', after: true }];
      await thread.delete();
      equal(server.threads.size, 0);
      await rejects(thread.delete(), { code: 'thread.unknown' });
    },
  },
  {
    name: 'requests that are not sends are tried again, too',
    async run({ remote }) {
      const { server, thread } = await connected(remote, echo);
      const wrong = () => refused(503, 'thread.unavailable');
      server.faults = [
        { on: '/turns', after: true },
        { on: '/export', response: wrong },
        { on: '/abort', before: true },
      ];
      equal((await thread.history()).length, savedLines.length);
      equal(decode(await thread.export()), savedLines.join(''));
      equal(await thread.abort(), 0);
    },
  },
];

export default [...basics, ...lost, ...rejoining, ...callersTools, ...leaving, ...watching];
