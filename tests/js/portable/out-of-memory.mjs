// Memory that cannot grow ends one instance and no thread: every turn whose append returned can be read and saved.
import { deepEqual, equal, ok, rejects, throws } from './assert.mjs';
import { loadWithMemory } from './memory.mjs';

const model = 'gemini-3.8-flash';
const at = '2026-11-21T10:00:00Z';
const now = () => at;
const outOfMemory = { name: 'StrataError', code: 'instance.out_of_memory' };
const signature = 'c2lnbmVkIGJ5IHRoZSBtb2RlbA==';
const large = 'ü'.repeat(400_000);
const decode = (bytes) => new TextDecoder().decode(bytes);
const user = (text) => ({ role: 'user', parts: [{ text }] });
const answer = (text) => ({ role: 'model', parts: [{ text }] });

/**
 * Runs `action` while `memory` may grow `allowed` times. Returns what it throws, or undefined, and what it prints.
 */
async function withLimitedMemory(memory, allowed, action) {
  const { grow } = WebAssembly.Memory.prototype;
  const methods = ['log', 'info', 'debug', 'warn', 'error'];
  const originals = methods.map((name) => console[name]);
  const printed = [];
  let left = allowed;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this === memory && left-- <= 0) throw new RangeError('memory.grow: refused by the test');
    return grow.call(this, pages);
  };
  for (const name of methods) console[name] = (...args) => printed.push(args.join(' '));
  try {
    return { error: await caught(action), printed };
  } finally {
    WebAssembly.Memory.prototype.grow = grow;
    methods.forEach((name, i) => (console[name] = originals[i]));
  }
}

async function caught(action) {
  try {
    await action();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** 50 turns, of every kind and form that is saved in its own way. */
function fillThread(thread) {
  const forms = [
    (i) => [user(`question ${i}, “ü”`), { at }],
    (i) => [` {"role":"model",\n "parts":[{"text":"line feed ${i}"}]} `, { model, tokens: i }],
    (i) => [user(`call ${i}`), undefined],
    (i) => [
      {
        role: 'model',
        parts: [{ functionCall: { name: 'f', args: { i } }, thoughtSignature: signature }],
      },
      { at, model, backend: 'gemini', manifest: { pieces: [], note: '\n' } },
    ],
    (i) => [{ role: 'user', parts: [{ functionResponse: { name: 'f', response: { i } } }] }, {}],
    (i) => [answer(`done ${i}`), { at, tokens: 7 }],
  ];
  for (let i = 0; i < 50; i++) {
    const [content, meta] = forms[i % forms.length](i);
    thread.append(content, meta);
  }
}

const contentsOf = (thread) =>
  Array.from({ length: thread.length }, (_, i) => decode(thread.content(i)));

/** An instance with a thread of 50 turns, and everything that must survive. */
async function prepare(pkg, options = {}) {
  const { strata, memory } = await loadWithMemory(pkg.load);
  const thread = strata.thread({ model, ...options });
  fillThread(thread);
  const expected = { lines: decode(thread.save()), contents: contentsOf(thread) };
  return { strata, memory, thread, expected };
}

function expectSurvival(pkg, { strata, thread, expected }, other) {
  equal(thread.length, 50);
  deepEqual(contentsOf(thread), expected.contents);
  equal(decode(thread.save()), expected.lines);
  equal(decode(thread.save()), expected.lines, 'saved once more');
  const from40 = expected.lines.split('\n').slice(40).join('\n');
  equal(decode(thread.save(40)), from40);
  equal(decode(thread.save(50)), '');
  throws(() => thread.save(51), { name: 'RangeError' });
  throws(() => thread.content(50), { name: 'RangeError' });
  const uses = {
    tokens: () => thread.tokens,
    append: () => thread.append(user('more')),
    rewind: () => thread.rewind(1),
    fork: () => thread.fork(),
    report: () => thread.report(),
    assemble: () => thread.assemble({ now: at }),
    lint: () => strata.lint({ contents: [] }, { model }),
    thread: () => strata.thread({ model }),
  };
  for (const [name, use] of Object.entries(uses)) throws(use, outOfMemory, name);

  const loaded = other.thread({ model, from: thread.save() });
  equal(decode(loaded.save()), expected.lines);
  deepEqual(contentsOf(loaded), expected.contents);
  equal(loaded.assemble({ now: at, trigger: 'go on' }).ok, true);
}

/**
 * Refuses the first growth, the second one, and so on, each time in a new instance, until `use` has enough memory.
 * `prepareUse` gets the instance and returns the action.
 */
async function expectSurvivalAtEveryGrowth(pkg, prepareUse, options) {
  const other = await pkg.load();
  for (let allowed = 0; ; allowed++) {
    const state = await prepare(pkg, options);
    const use = prepareUse(state);
    const { error, printed } = await withLimitedMemory(state.memory, allowed, use);
    deepEqual(printed, []);
    if (!error) {
      ok(allowed > 0, 'the memory did not grow');
      return;
    }
    equal(error.code, outOfMemory.code, `growth ${allowed}: ${error.stack}`);
    ok(error.cause instanceof WebAssembly.RuntimeError, `the cause is ${error.cause}`);
    expectSurvival(pkg, state, other);
  }
}

const refused = {
  'an append': ({ thread }) => {
    const content = user(large);
    return () => thread.append(content, { at });
  },
  'an append of many findings': ({ thread }) => {
    const parts = Array.from({ length: 4000 }, () => ({ text: 'x', invented: 1 }));
    return () => thread.append({ role: 'user', parts });
  },
  'an assemble': ({ thread }) => {
    const input = { now: at, trigger: large };
    return () => thread.assemble(input);
  },
  'a lint': ({ strata }) => {
    const body = { contents: Array.from({ length: 20_000 }, (_, i) => user(`${i}`)) };
    return () => strata.lint(body, { model });
  },
  'a template': ({ strata }) => {
    const template = strata.template('{% for i in range(60000) %}{{ text }}{% endfor %}');
    return () => template.render({ text: 'x'.repeat(40) });
  },
  'an answer': ({ strata }) => {
    const response = strata.response();
    const chunk = { candidates: [{ content: { role: 'model', parts: [{ text: large }] } }] };
    const bytes = new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\r\n\r\n`);
    return () => response.push(bytes);
  },
  'an import': ({ strata }) => {
    const from = JSON.stringify([user(large), answer(large)]);
    return () => strata.thread({ model, from });
  },
  'a fork that grows': ({ thread }) => {
    const fork = thread.fork(30);
    return () => fork.append(user(large));
  },
  'a rewrite': ({ thread }) => {
    const replacements = [{ from: 0, to: 2, contents: [user(large)] }];
    return () => thread.rewrite(replacements);
  },
};

const survivals = Object.entries(refused).map(([what, prepareUse]) => ({
  name: `no turn is lost when memory is refused anywhere in ${what}`,
  run: (pkg) => expectSurvivalAtEveryGrowth(pkg, prepareUse),
}));

const repairs = [
  {
    name: 'no turn is lost when memory is refused while a repair replaces the open step',
    async run(pkg) {
      const call = (name) => ({ functionCall: { name, args: {} }, thoughtSignature: signature });
      for (let allowed = 0, failed = 0; ; allowed++) {
        const { strata, memory } = await loadWithMemory(pkg.load);
        const thread = strata.thread({ model, policy: 'repair' });
        thread.append(user('go'), { at });
        thread.append({ role: 'model', parts: [call('f'), call('g')] }, { at, model });
        const saved = decode(thread.save());
        // Both calls lack results, which the repair adds before this turn.
        const next = user(large);
        const use = () => thread.append(next, { at });
        const { error, printed } = await withLimitedMemory(memory, allowed, use);
        deepEqual(printed, []);
        if (!error) {
          ok(failed > 0 && thread.length > 2, `${failed} failures, ${thread.length} turns`);
          return;
        }
        equal(error.code, outOfMemory.code, error.stack);
        equal(thread.length, 2);
        equal(decode(thread.save()), saved);
        failed++;
      }
    },
  },
];

const changes = [
  {
    name: 'what survives is what the last call left, whichever call that was',
    async run(pkg) {
      const { strata, memory } = await loadWithMemory(pkg.load);
      const open = (options) => strata.thread({ model, ...options });
      const filled = () => {
        const thread = open();
        fillThread(thread);
        return thread;
      };
      const threads = { empty: open(), appended: filled(), rewound: filled(), again: filled() };
      threads.rewound.rewind(20);
      threads.again.rewind(20);
      threads.again.append(answer('another 20'), { at });
      threads.fork = threads.appended.fork(12);
      threads.forkOn = threads.appended.fork(12);
      threads.forkOn.append(user('of the fork'));
      threads.appended.append(user('of the first'));
      threads.rewritten = threads.appended.rewrite([{ from: 0, to: 6, contents: [user('sum')] }]);
      threads.loaded = open({ from: threads.appended.save() });
      threads.imported = open({ from: [{ role: 'assistant', content: 'hi' }], policy: 'warn' });
      threads.repaired = open({ policy: 'repair' });
      threads.repaired.append(user('go'));
      const functionCall = { name: 'f', args: {} };
      const parts = [{ functionCall, thoughtSignature: signature }];
      threads.repaired.append({ role: 'model', parts }, { at });
      threads.repaired.append(user('next'), { at });
      throws(() => threads.fork.append('{"role":'), { code: 'json.invalid' });

      const expected = Object.entries(threads).map(([name, thread]) => [
        name,
        decode(thread.save()),
        contentsOf(thread),
      ]);
      const { error } = await withLimitedMemory(memory, 0, () => strata.lint(large, { model }));
      equal(error.code, outOfMemory.code);
      for (const [name, lines, contents] of expected) {
        equal(decode(threads[name].save()), lines, name);
        deepEqual(contentsOf(threads[name]), contents, name);
      }
    },
  },
  {
    name: 'any other trap leaves the turns as well',
    async run(pkg) {
      const strata = await pkg.load();
      const thread = strata.thread({ model });
      fillThread(thread);
      const lines = decode(thread.save());
      const template = strata.template('{{ f() }}', { functions: { f: () => 1 } });
      // An exception in the middle of a call ends the instance like a trap.
      const { encode } = TextEncoder.prototype;
      TextEncoder.prototype.encode = () => {
        throw new Error('thrown by the test');
      };
      const error = await caught(() => template.render({}));
      TextEncoder.prototype.encode = encode;
      equal(error?.code, 'instance.poisoned');
      equal(thread.length, 50);
      equal(decode(thread.save()), lines);
      throws(() => thread.append(user('x')), { code: 'instance.poisoned' });
    },
  },
  {
    name: 'turns in overwritten memory are not made up',
    async run(pkg) {
      const { memory, thread } = await prepare(pkg);
      new Uint8Array(memory.buffer).fill(0xff);
      throws(() => thread.append(user('x')), { code: 'instance.poisoned' });
      throws(() => thread.save(), { code: 'instance.poisoned' });
      throws(() => thread.length, { code: 'instance.poisoned' });
    },
  },
];

/** Says hello, calls the tool for "use it", and ends after its result. */
function modelAnswer(body) {
  const { contents } = JSON.parse(decode(body));
  const [part] = contents.at(-1).parts;
  const functionCall = { id: 'a', name: 'read', args: {} };
  const parts =
    part.text === 'use it' ? [{ functionCall, thoughtSignature: signature }] : [{ text: 'Hello.' }];
  const candidates = [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }];
  const usageMetadata = { promptTokenCount: 20, candidatesTokenCount: 5, totalTokenCount: 25 };
  return new Response(`data: ${JSON.stringify({ candidates, usageMetadata })}\r\n\r\n`);
}

/** A process with its own instance, on a store that outlives it. */
async function openChat(pkg, store, run = () => 'short') {
  const { strata, memory } = await loadWithMemory(pkg.load);
  const fetch = async (_, init) => modelAnswer(new Uint8Array(init.body));
  const client = new pkg.GeminiClient({ fetch, retry: false });
  const tools = [{ name: 'read', run }];
  const options = { model, now, tools, answerRetry: false, store, id: 'one' };
  const chat = await pkg.Conversation.open(strata, client, options);
  const send = async (input) => {
    for await (const event of chat.send(input)) void event;
  };
  return { chat, memory, send };
}

const conversations = [
  {
    name: 'a conversation whose memory is refused has everything in its store, and another instance resumes it',
    async run(pkg) {
      for (let allowed = 0; ; allowed++) {
        const store = new pkg.MemoryStore();
        const first = await openChat(pkg, store);
        await first.send('hello');
        await first.send('use it');
        const { error, printed } = await withLimitedMemory(first.memory, allowed, () =>
          first.send(large),
        );
        deepEqual(printed, []);
        if (!error) {
          ok(allowed > 0, 'the memory did not grow');
          return;
        }
        equal(error.code, outOfMemory.code, error.stack);
        const left = contentsOf(first.chat.thread);
        ok(left.length === 6 || left.length === 7, `${left.length} turns`);
        await rejects(first.send('once more'), outOfMemory);
        equal((await store.read('one')).join('\n'), decode(first.chat.thread.save()).trimEnd());

        const second = await openChat(pkg, store);
        deepEqual(contentsOf(second.chat.thread), left);
        await second.send(left.length === 7 ? '' : 'go on');
        equal(second.chat.thread.length, 8);
      }
    },
  },
  {
    name: 'a conversation whose memory is refused for the result of a tool keeps the call, and another instance runs it',
    async run(pkg) {
      const store = new pkg.MemoryStore();
      let runs = 0;
      const read = () => (runs++, large);
      const first = await openChat(pkg, store, read);
      await first.send('hello');
      const { error } = await withLimitedMemory(first.memory, 0, () => first.send('use it'));
      equal(error?.code, outOfMemory.code, error?.stack);
      equal(first.chat.thread.length, 4);
      equal(runs, 1);

      const second = await openChat(pkg, store, read);
      await second.send('');
      equal(second.chat.thread.length, 6);
      equal(runs, 2);
    },
  },
  {
    name: 'a conversation without a store resumes from its saved thread',
    async run(pkg) {
      const { strata, memory } = await loadWithMemory(pkg.load);
      const fetch = async (_, init) => modelAnswer(new Uint8Array(init.body));
      const client = new pkg.GeminiClient({ fetch, retry: false });
      const chat = new pkg.Conversation(strata, client, { model, now });
      for await (const event of chat.send('hello')) void event;
      const { error } = await withLimitedMemory(memory, 0, async () => {
        for await (const event of chat.send(large)) void event;
      });
      equal(error?.code, outOfMemory.code, error?.stack);
      const other = await pkg.load();
      const thread = other.thread({ model, from: chat.thread.save() });
      equal(thread.length, 2);
      const resumed = new pkg.Conversation(other, client, { model, now, thread });
      for await (const event of resumed.send('go on')) void event;
      equal(thread.length, 4);
    },
  },
];

export default [...survivals, ...repairs, ...changes, ...conversations];
