// Tools of a Conversation: discovery, confirmation, parallel execution, and the results that tools can return.
import { deepEqual, equal, match, ok, rejects } from './assert.mjs';

const model = 'gemini-3.8-flash';
const text = (utf8) => new TextDecoder().decode(utf8);

const stream = (parts) =>
  new Response(
    `data: ${JSON.stringify({
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    })}\r\n\r\n`,
  );

const call = (name, args = {}) => ({ functionCall: { name, args } });

/** Runs one send whose first answer makes these calls and whose second is a text. */
async function run(strata, calls, options) {
  const core = await strata.load();
  const checker = await strata.check.loadChecker();
  const bodies = [];
  const fetch = async (_, init) => {
    bodies.push(JSON.parse(text(init.body)));
    if (bodies.length > 1) return stream([{ text: 'Done.' }]);
    return stream([{ ...calls[0], thoughtSignature: 'c2lnbmVk' }, ...calls.slice(1)]);
  };
  const client = new strata.GeminiClient({ fetch, retry: false });
  const chat = new strata.Conversation(core, client, { model, ...options });
  const events = [];
  for await (const event of chat.send('Go')) events.push(event);
  for (const body of bodies) ok(checker.lint(body, { model }).ok, JSON.stringify(body));
  const results = bodies[1].contents.at(-1).parts.map(({ functionResponse }) => functionResponse);
  return { chat, events, bodies, results, responses: results.map(({ response }) => response) };
}

const sources = [
  {
    name: 'calls a discovery function once, and declares and runs the tools it returns',
    async run(strata) {
      let asked = 0;
      const source = {
        async discover({ signal }) {
          ok(signal instanceof AbortSignal);
          asked++;
          return [{ name: 'found', description: 'Found', run: () => 'it' }, { googleSearch: {} }];
        },
      };
      const tools = [{ name: 'own', run: () => 1 }, source];
      const { bodies, responses, chat } = await run(strata, [call('found')], {
        ...{ tools, toolConfig: { includeServerSideToolInvocations: true } },
      });
      const names = bodies[0].tools[0].functionDeclarations.map(({ name }) => name);
      deepEqual(names, ['own', 'found']);
      deepEqual(bodies[0].tools[1], { googleSearch: {} });
      deepEqual(responses, [{ output: 'it' }]);
      for await (const event of chat.send('And?')) void event;
      equal(asked, 1);
      deepEqual(bodies[0].tools, bodies.at(-1).tools);
    },
  },
  {
    name: 'ends the send when a tool source fails, and asks the source again with the next send',
    async run(strata) {
      const core = await strata.load();
      let asked = 0;
      const discover = () => {
        if (++asked === 1) throw new Error('no such server');
        return [{ name: 'found', run: () => 1 }];
      };
      const fetch = async () => stream([{ text: 'Hello.' }]);
      const client = new strata.GeminiClient({ fetch, retry: false });
      const chat = new strata.Conversation(core, client, { model, tools: [{ discover }] });
      const send = async (message) => {
        for await (const event of chat.send(message)) void event;
      };
      await rejects(send('Hi'), { message: 'no such server' });
      equal(chat.thread.length, 1);
      await send('');
      equal(chat.thread.length, 2);
    },
  },
];

const interrupted = [
  {
    name: 'stores the results that were finished when the caller stopped reading',
    async run(strata) {
      const core = await strata.load();
      const calls = [{ ...call('a'), thoughtSignature: 'c2lnbmVk' }, call('b')];
      const client = new strata.GeminiClient({ fetch: async () => stream(calls), retry: false });
      const tools = ['a', 'b'].map((name) => ({ name, run: () => `${name} done` }));
      const chat = new strata.Conversation(core, client, { model, tools });
      for await (const { type } of chat.send('Go')) {
        if (type !== 'toolResult') continue;
        await new Promise((resolve) => setTimeout(resolve, 5));
        break;
      }
      const { parts } = JSON.parse(text(chat.thread.content(2)));
      deepEqual(
        parts.map(({ functionResponse }) => functionResponse.response.output),
        ['a done', 'b done'],
      );
    },
  },
  {
    name: 'keeps stored results when a resumed send fails immediately',
    async run(strata) {
      const core = await strata.load();
      const calls = [{ ...call('a'), thoughtSignature: 'c2lnbmVk' }, call('b')];
      const client = new strata.GeminiClient({ fetch: async () => stream(calls), retry: false });
      const stored = { model, store: new strata.MemoryStore(), id: 'crashed' };
      const hangs = { name: 'b', idempotent: false, run: () => new Promise(() => {}) };
      const tools = [{ name: 'a', run: () => 'a done' }, hangs];
      // Without a time limit, whose timer would keep this process alive.
      const limits = { toolTimeoutMs: 0 };
      const before = await strata.Conversation.open(core, client, { ...stored, ...limits, tools });
      const events = before.send('Go');
      while ((await events.next()).value.type !== 'toolResult');
      // The process ends here. In the next one a tool source fails.
      const down = { discover: () => Promise.reject(new Error('down')) };
      const chat = await strata.Conversation.open(core, client, { ...stored, tools: [down] });
      await rejects(() => chat.send('').next(), { message: 'down' });
      const [a, b] = JSON.parse(text(chat.thread.content(2))).parts;
      deepEqual(a.functionResponse.response, { output: 'a done' });
      match(b.functionResponse.response.error, /nobody knows whether it took effect/);
    },
  },
  {
    name: 'rejects two tools with the same name, also from a tool source',
    async run(strata) {
      const core = await strata.load();
      const client = new strata.GeminiClient({ fetch: async () => stream([]), retry: false });
      const own = { name: 'same', run: () => 1 };
      for (const tools of [
        [own, { name: 'same', run: () => 2 }],
        [own, { discover: () => [{ name: 'same', run: () => 2 }] }],
      ]) {
        const chat = new strata.Conversation(core, client, { model, tools });
        const send = async () => {
          for await (const event of chat.send('Go')) void event;
        };
        await rejects(send, { code: 'tools.name_taken', message: /named same/ });
      }
    },
  },
  {
    name: 'emits the diagnostics of a tool source with the first send',
    async run(strata) {
      const diagnostic = {
        code: 'tools.name_changed',
        severity: 'info',
        path: '/tools',
        message: '',
      };
      const source = {
        discover({ emit }) {
          emit(diagnostic);
          return [{ name: 'found', run: () => 1 }];
        },
      };
      const { chat, events } = await run(strata, [call('found')], { tools: [source] });
      const [, emitted] = events;
      deepEqual(emitted, { type: 'diagnostics', diagnostics: [diagnostic] });
      for await (const { type } of chat.send('And?')) ok(type !== 'diagnostics');
    },
  },
  {
    name: 'repeats an aborted discovery with the next send',
    async run(strata) {
      const core = await strata.load();
      const fetch = async () => stream([{ text: 'Done.' }]);
      const client = new strata.GeminiClient({ fetch, retry: false });
      const source = {
        async discover({ signal }) {
          await new Promise((resolve) => setTimeout(resolve, 20));
          signal.throwIfAborted();
          return [];
        },
      };
      const chat = new strata.Conversation(core, client, { model, tools: [source] });
      const controller = new AbortController();
      const send = async (signal) => {
        let last;
        for await (const event of chat.send('Go', { signal })) last = event.type;
        return last;
      };
      setTimeout(() => controller.abort(), 5);
      await rejects(() => send(controller.signal), { name: 'AbortError' });
      equal(await send(), 'done');
    },
  },
];

const confirmations = [
  {
    name: 'asks for confirmation: true runs the call, anything else becomes its error',
    async run(strata) {
      const ran = [];
      const tool = (name, confirm) => ({ name, confirm, run: () => (ran.push(name), 'ran') });
      const onlyBig = ({ args }) => args.n > 10;
      const tools = [tool('free'), tool('asked', true), tool('big', onlyBig)];
      const calls = [
        ...[call('free'), call('asked', { n: 1 }), call('asked', { n: 2 })],
        ...[call('asked', { n: 3 }), call('big', { n: 4 }), call('big', { n: 50 })],
        call('asked', { n: 5 }),
      ];
      const asked = [];
      const answers = { 1: true, 2: false, 3: 'Only after lunch.', 50: true };
      const confirmTool = async ({ args }) => (asked.push(args.n), answers[args.n]);
      const { responses } = await run(strata, calls, { tools, confirmTool });
      deepEqual(
        asked.sort((a, b) => a - b),
        [1, 2, 3, 5, 50],
      );
      deepEqual([...ran].sort(), ['asked', 'big', 'big', 'free']);
      deepEqual(responses, [
        ...[{ output: 'ran' }, { output: 'ran' }, { error: 'The user declined this call.' }],
        ...[{ error: 'Only after lunch.' }, { output: 'ran' }, { output: 'ran' }],
        // `undefined`, as from a closed dialog.
        { error: 'The user declined this call.' },
      ]);
    },
  },
  {
    name: 'does not run a call that needs confirmation without confirmTool',
    async run(strata) {
      const tools = [{ name: 'asked', confirm: true, run: () => ok(false, 'it ran') }];
      const { responses } = await run(strata, [call('asked')], { tools });
      match(responses[0].error, /nobody to ask/);
    },
  },
];

const results = [
  {
    name: 'runs at most maxParallelTools calls at a time',
    async run(strata) {
      let running = 0;
      let most = 0;
      const slow = async ({ n }) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running--;
        return n;
      };
      const calls = Array.from({ length: 10 }, (_, n) => call('slow', { n }));
      const options = { tools: [{ name: 'slow', run: slow }], maxParallelTools: 3 };
      const { responses } = await run(strata, calls, options);
      equal(most, 3);
      deepEqual(
        responses,
        calls.map((_, n) => ({ output: n })),
      );
    },
  },
  {
    name: 'puts the parts of a MediaResult inside the functionResponse',
    async run(strata) {
      const inlineData = { mimeType: 'image/png', data: 'iVBORw0KGgo=', displayName: 'dot.png' };
      const draw = () => new strata.MediaResult({ image: { $ref: 'dot.png' } }, [{ inlineData }]);
      const { bodies, results } = await run(strata, [call('draw'), call('count')], {
        tools: [
          { name: 'draw', run: draw },
          { name: 'count', run: () => 2 },
        ],
      });
      deepEqual(results[0], {
        name: 'draw',
        response: { output: { image: { $ref: 'dot.png' } } },
        parts: [{ inlineData }],
      });
      equal(bodies[1].contents.at(-1).parts.length, 2);
    },
  },
  {
    name: 'writes bytes in a result as base64, also in the event',
    async run(strata) {
      const data = new Uint8Array([1, 2, 3]);
      const inlineData = { mimeType: 'image/png', data };
      const tools = [
        { name: 'draw', run: () => new strata.MediaResult({ raw: data }, [{ inlineData }]) },
        { name: 'hash', run: () => data.buffer },
      ];
      const { events, results } = await run(strata, [call('draw'), call('hash')], { tools });
      const parts = [{ inlineData: { mimeType: 'image/png', data: 'AQID' } }];
      deepEqual(results[0], { name: 'draw', response: { output: { raw: 'AQID' } }, parts });
      deepEqual(results[1].response, { output: 'AQID' });
      const emitted = events.find(({ type }) => type === 'toolResult');
      deepEqual(emitted.response.parts, parts);
    },
  },
  {
    name: 'reports a result that JSON cannot represent as an error instead of {} or null',
    async run(strata) {
      const given = [
        ...[new Map([[1, 2]]), { deep: new Set([1]) }, new Float32Array(2), 10n],
        ...[() => 1, Symbol('a'), NaN, { ratio: 1 / 0 }],
      ];
      const tools = given.map((value, at) => ({ name: `t${at}`, run: () => value }));
      const calls = tools.map(({ name }) => call(name));
      const errors = (await run(strata, calls, { tools })).responses.map(({ error }) => error);
      for (const [at, word] of [
        /Map/,
        /Set \(property "deep"\)/,
        /Float32Array/,
        /BigInt/,
        /a function/,
        /a symbol/,
        /NaN/,
        /Infinity \(property "ratio"\)/,
      ].entries()) {
        match(errors[at], word);
      }
    },
  },
  {
    name: 'returns an object without a prototype',
    async run(strata) {
      const bare = (more) => Object.assign(Object.create(null), more);
      const value = { headers: bare(), query: bare({ a: 1 }), list: [bare()] };
      const tools = [{ name: 'parse', run: () => value }];
      const { responses } = await run(strata, [call('parse')], { tools });
      deepEqual(responses, [{ output: { headers: {}, query: { a: 1 }, list: [{}] } }]);
    },
  },
  {
    name: 'replaces a lone surrogate in a property name of a result with U+FFFD',
    async run(strata) {
      const tools = [{ name: 'odd', run: () => [{ 'a\ud800': 'b\udc00', fine: '\ud83d\ude00' }] }];
      const { results } = await run(strata, [call('odd')], { tools });
      deepEqual(results[0].response.output, [{ 'a\ufffd': 'b\ufffd', fine: '\ud83d\ude00' }]);
    },
  },
  {
    name: 'shortens a long result in the prompt and stores all of it under the given name',
    async run(strata) {
      const long = `begin ${'x'.repeat(5000)} end`;
      const tools = [
        { name: 'read', run: () => long },
        { name: 'short', run: () => 'y'.repeat(99) },
        {
          name: 'fail',
          run: () => {
            throw new Error(long);
          },
        },
      ];
      const calls = [call('read'), call('short'), call('fail')];
      const { chat, events, responses } = await run(strata, calls, { tools, maxResultChars: 100 });
      const [read, short, fail] = responses;
      match(
        read.output,
        /^begin x{44}\n\[4910 characters left out; .*"read-2-[0-9a-f]+"\]\nx{46} end$/,
      );
      deepEqual(short, { output: 'y'.repeat(99) });
      match(fail.error, /characters left out/);
      const { storedAs } = events.find(
        (event) => event.type === 'toolResult' && event.call.name === 'read',
      );
      ok(read.output.includes(storedAs), read.output);
      equal(text(await chat.readStored(storedAs)), long);
    },
  },
  {
    name: 'shortens a long result between whole characters',
    async run(strata) {
      const tools = [{ name: 'read', run: () => '😀'.repeat(100) }];
      const { responses } = await run(strata, [call('read')], { tools, maxResultChars: 31 });
      match(responses[0].output, /^(😀){7}\n\[172 characters left out; .*\]\n(😀){7}$/u);
    },
  },
];

export default [...sources, ...interrupted, ...confirmations, ...results];
