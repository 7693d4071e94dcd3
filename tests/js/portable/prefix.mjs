// Tests the stable prefix: where a conversation puts the dynamic layer, what the API read from its cache, and the
// finding about a prefix that breaks in front of history.
import { deepEqual, equal, ok, throws } from './assert.mjs';

const model = 'gemini-4-argon';
const now = () => '2026-11-22T10:00:00Z';
const decode = (bytes) => new TextDecoder().decode(bytes);
const says = (role, text) => ({ role, parts: [{ text }] });

/** Returns a conversation whose answers report `usage` of each request, and the bodies that it sends. */
async function talk(pkg, options = {}, usage = () => ({}), parts = () => [{ text: 'Yes.' }]) {
  const strata = await pkg.load();
  const bodies = [];
  const fetch = async (url, init) => {
    bodies.push(decode(init.body));
    const n = bodies.length;
    const candidate = { content: { role: 'model', parts: parts(n) }, finishReason: 'STOP' };
    const chunks = [
      {
        candidates: [{ content: { role: 'model', parts: [] } }],
        usageMetadata: { promptTokenCount: 1 },
      },
      { candidates: [candidate], usageMetadata: usage(n, bodies[n - 1]) },
    ];
    return new Response(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join(''));
  };
  const client = new pkg.GeminiClient({ fetch, retry: false });
  const chat = new pkg.Conversation(strata, client, { model, now, answerRetry: false, ...options });
  return { chat, bodies, strata };
}

async function send(chat, text) {
  const events = [];
  for await (const event of chat.send(text)) events.push(event);
  return events;
}

const textsOf = (body) => JSON.parse(body).contents.map(({ parts }) => parts[0].text);
const manifestOf = (events) => events.find(({ type }) => type === 'request').manifest;
const brokenIn = (events) =>
  events
    .flatMap(({ type, diagnostics }) => (type === 'diagnostics' ? diagnostics : []))
    .filter(({ code }) => code === 'cache.prefix_broken');

/** Returns the index of the first byte in which two texts differ. */
function firstDifference(a, b) {
  const [x, y] = [a, b].map((text) => new TextEncoder().encode(text));
  let at = 0;
  while (x[at] === y[at]) at++;
  return at;
}

const clock = () => {
  let minute = 0;
  return () => `2026-11-22T10:${String(minute++).padStart(2, '0')}:00Z`;
};

const placement = [
  {
    name: 'puts the dynamic layer before the current turn in a conversation, so that the history is stable',
    async run(pkg) {
      let count = 0;
      const dynamic = () => ({ text: `{"count":${++count}}` });
      const { chat, bodies } = await talk(pkg, { static: { text: 'S' }, dynamic });
      const all = [];
      for (const text of ['One?', 'Two?', 'Three?']) all.push(await send(chat, text));
      deepEqual(textsOf(bodies[0]), ['{"count":1}', 'One?']);
      deepEqual(textsOf(bodies[2]), [
        ...['One?', 'Yes.', 'Two?', 'Yes.'],
        ...['{"count":3}', 'Three?'],
      ]);
      const { stablePrefixBytes } = manifestOf(all[2]);
      equal(bodies[2].slice(0, stablePrefixBytes), bodies[1].slice(0, stablePrefixBytes));
      ok(bodies[2].slice(0, stablePrefixBytes).endsWith(JSON.stringify(says('model', 'Yes.'))));
      deepEqual(all.flatMap(brokenIn), []);
    },
  },
  {
    name: 'sends no text of its own, and no dynamic layer unless it was asked for',
    async run(pkg) {
      const { chat, bodies } = await talk(pkg, { now: clock() });
      await send(chat, 'One?');
      deepEqual(JSON.parse(bodies[0]), { store: false, contents: [says('user', 'One?')] });
      await send(chat, 'Two?');
      deepEqual(textsOf(bodies[1]), ['One?', 'Yes.', 'Two?']);
    },
  },
  {
    name: 'takes the system instruction as a text, instead of a static layer',
    async run(pkg) {
      const { chat, bodies, strata } = await talk(pkg, { systemInstruction: 'Be "brief".' });
      await send(chat, 'One?');
      deepEqual(JSON.parse(bodies[0]).systemInstruction, { parts: [{ text: 'Be "brief".' }] });
      const both = { model, static: { text: 'A' }, systemInstruction: 'B' };
      const client = new pkg.GeminiClient({ fetch: () => {} });
      throws(() => new pkg.Conversation(strata, client, both), { code: 'field.invalid' });
    },
  },
  {
    name: 'uses the same place for the default template, a prompt, and an undefined placement',
    async run(pkg) {
      const prompt = { sections: [{ id: 'state', text: 'State.', stability: 'dynamic' }] };
      for (const [options, expected] of [
        [{ dynamic: {} }, 'current_datetime'],
        [{ prompt }, 'State.'],
        [{ dynamic: { variables: { todos: [] }, placement: undefined } }, 'current_datetime'],
      ]) {
        const { chat, bodies } = await talk(pkg, { now: clock(), ...options });
        await send(chat, 'One?');
        const events = await send(chat, 'Two?');
        const texts = textsOf(bodies[1]);
        deepEqual([texts[0], texts[1], texts[3]], ['One?', 'Yes.', 'Two?']);
        ok(texts[2].includes(expected), texts[2]);
        deepEqual(brokenIn(events), []);
      }
    },
  },
  {
    name: 'keeps the documented order in assemble, and in a conversation by choice',
    async run(pkg) {
      const dynamic = { text: '{"a":1}', placement: 'after-static' };
      const { chat, bodies, strata } = await talk(pkg, { dynamic });
      await send(chat, 'One?');
      await send(chat, 'Two?');
      deepEqual(textsOf(bodies[1]), ['{"a":1}', 'One?', 'Yes.', 'Two?']);
      const thread = strata.thread({ model, from: [says('user', 'One?'), says('model', 'Yes.')] });
      const { body } = thread.assemble({ now: now(), dynamic: { text: '{}' }, trigger: 'Two?' });
      deepEqual(textsOf(decode(body)), ['{}', 'One?', 'Yes.', 'Two?']);
    },
  },
];

const finding = [
  {
    name: 'names the first changed byte and its layer when current_datetime changes in front of history',
    async run(pkg) {
      const options = { now: clock(), dynamic: { placement: 'after-static' } };
      const { chat, bodies } = await talk(pkg, options);
      deepEqual(brokenIn(await send(chat, 'One?')), []);
      for (let n = 1; n < 4; n++) {
        const [found, ...more] = brokenIn(await send(chat, 'And?'));
        deepEqual(more, []);
        const byte = firstDifference(bodies[n - 1], bodies[n]);
        ok(found.message.includes(' in the dynamic layer, '), found.message);
        ok(found.message.startsWith(`From byte ${byte} of the body on, `), found.message);
        deepEqual([found.severity, found.path], ['info', '/contents/0']);
      }
    },
  },
  {
    name: 'names a static layer or a tool that changes, in assemble',
    async run(pkg) {
      const strata = await pkg.load();
      const thread = strata.thread({ model, from: [says('user', 'One?'), says('model', 'Yes.')] });
      const base = { now: now(), dynamic: { text: '' }, trigger: 'Two?' };
      const tool = (name) => [{ functionDeclarations: [{ name }] }];
      const inputs = [
        { ...base, static: { text: 'A b' }, tools: tool('f') },
        { ...base, static: { text: 'A c' }, tools: tool('f') },
        { ...base, static: { text: 'A c' }, tools: tool('g') },
      ];
      let last = thread.assemble(inputs[0]);
      for (const [input, path] of [
        [inputs[1], '/systemInstruction'],
        [inputs[2], '/tools'],
      ]) {
        // A manifest that was stored as JSON is as good.
        const previous = JSON.parse(JSON.stringify(last.manifest));
        const next = thread.assemble({ ...input, previous });
        const byte = firstDifference(decode(last.body), decode(next.body));
        const [found] = next.diagnostics;
        deepEqual([found.code, found.path], ['cache.prefix_broken', path]);
        ok(found.message.includes(` byte ${byte} `), found.message);
        deepEqual(next.manifest.diagnostics, next.diagnostics);
        last = next;
      }
      deepEqual(thread.assemble({ ...inputs[2], previous: last.manifest }).diagnostics, []);
      deepEqual(thread.assemble(inputs[0]).diagnostics, []);
    },
  },
];

const measured = [
  {
    name: 'tells with each usage how much of the stable prefix the API had cached, and sums it up',
    async run(pkg) {
      const usage = (n) => ({
        promptTokenCount: 1000 * n,
        ...(n > 1 && { cachedContentTokenCount: 900 * (n - 1) }),
      });
      const dynamic = () => ({ text: `{"random":${Math.random()}}` });
      const { chat } = await talk(pkg, { static: { text: 'Word. '.repeat(900) }, dynamic }, usage);
      deepEqual(chat.prefixUse, { requests: 0, promptTokens: 0, stableTokens: 0, cachedTokens: 0 });
      const sum = { requests: 0, promptTokens: 0, stableTokens: 0, cachedTokens: 0 };
      for (let n = 1; n <= 3; n++) {
        const events = await send(chat, 'And?');
        const { usage: counts, prefix } = events.findLast(({ type }) => type === 'usage');
        equal(counts.promptTokenCount, 1000 * n);
        const { stablePrefixTokens, promptTokens } = manifestOf(events);
        const stableTokens = Math.round((1000 * n * stablePrefixTokens) / promptTokens);
        const cachedTokens = n > 1 ? 900 * (n - 1) : 0;
        deepEqual(prefix, { promptTokens: 1000 * n, stableTokens, cachedTokens });
        equal(stableTokens > 900 * n, n > 1);
        sum.requests++;
        for (const name of Object.keys(prefix)) sum[name] += prefix[name];
        deepEqual(chat.prefixUse, sum);
      }
    },
  },
  {
    name: 'counts an answer that failed, ignores invalid counts, and never exceeds the prompt',
    async run(pkg) {
      const counts = [
        { promptTokenCount: 10 },
        { promptTokenCount: 'x' },
        { promptTokenCount: 20 },
      ];
      const parts = (n) => (n === 1 ? [] : [{ text: 'Yes.' }]);
      const { chat } = await talk(
        pkg,
        { static: { text: 'Be brief.' } },
        (n) => counts[n - 1],
        parts,
      );
      const error = await send(chat, 'Hi').catch((thrown) => thrown);
      equal(error.code, 'answer.empty');
      equal(chat.prefixUse.promptTokens, 10);
      await send(chat, 'Hi');
      equal(chat.prefixUse.requests, 1);
      const events = await send(chat, 'Hi again');
      const { prefix } = events.findLast(({ type }) => type === 'usage');
      ok(prefix.stableTokens > 0 && prefix.stableTokens <= prefix.promptTokens);
      deepEqual([chat.prefixUse.requests, chat.prefixUse.promptTokens], [2, 30]);
    },
  },
  {
    name: 'cancels the answer of a caller that leaves',
    async run(pkg) {
      const strata = await pkg.load();
      let cancelled = false;
      const content = { role: 'model', parts: [{ text: 'Yes' }] };
      const chunk = { candidates: [{ content }], usageMetadata: { promptTokenCount: 7 } };
      const start = (out) =>
        out.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`));
      const fetch = async () =>
        new Response(new ReadableStream({ start, cancel: () => void (cancelled = true) }));
      const client = new pkg.GeminiClient({ fetch, retry: false });
      const chat = new pkg.Conversation(strata, client, { model, now });
      for await (const { type } of chat.send('Hi')) if (type === 'text') break;
      await new Promise((resolve) => setTimeout(resolve, 20));
      ok(cancelled);
      equal(chat.prefixUse.promptTokens, 7);
    },
  },
];

export default [...placement, ...finding, ...measured];
