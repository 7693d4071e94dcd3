// Memory that cannot grow ends one instance and no thread: every turn whose append returned can be read and saved.
import { deepEqual, equal, ok, rejects, throws } from './assert.mjs';
import { loadWithMemory } from './memory.mjs';

const model = 'gemini-3.8-flash';
const at = '2026-11-21T10:00:00Z';
const now = () => at;
const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
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

/** Refuses the first growth, the second one, and so on, until `failsWith`, which gets the allowed ones, succeeds. */
async function refuseEachGrowth(failsWith) {
  ok(await failsWith(0), 'the memory did not grow');
  for (let allowed = 1; await failsWith(allowed); allowed++);
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

/**
 * Calls `use`, and then disposes of the handles that `use` passed to `own`. A page can reserve memory for about 100
 * instances, and an instance whose handles are not disposed of is not garbage.
 */
async function withOwner(use) {
  const owned = [];
  const own = (handle) => (owned.push(handle), handle);
  try {
    return await use(own);
  } finally {
    for (const handle of owned) handle[dispose]();
  }
}

/** Passes a new instance to `use`. */
const withInstance = (pkg, use) =>
  withOwner(async (own) => use({ ...(await loadWithMemory(pkg.load)), own }));

/** Passes `use` an instance with a thread of 50 turns, and everything that must survive. */
function withFilledThread(pkg, use) {
  return withInstance(pkg, (state) => {
    const thread = state.own(state.strata.thread({ model }));
    fillThread(thread);
    const expected = { lines: decode(thread.save()), contents: contentsOf(thread) };
    return use({ ...state, thread, expected });
  });
}

function expectSurvival({ strata, thread, expected }, other) {
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
    schema: () => strata.schema({ type: 'string' }, { model }),
    thread: () => strata.thread({ model }),
  };
  for (const [name, use] of Object.entries(uses)) throws(use, outOfMemory, name);

  const loaded = other.thread({ model, from: thread.save() });
  equal(decode(loaded.save()), expected.lines);
  deepEqual(contentsOf(loaded), expected.contents);
  equal(loaded.assemble({ now: at, trigger: 'go on' }).ok, true);
  loaded[dispose]();
}

/**
 * Refuses the first growth, the second one, and so on, each time in a new instance, until `use` has enough memory.
 * `prepareUse` gets the instance and returns the action.
 */
async function expectSurvivalAtEveryGrowth(pkg, prepareUse) {
  const other = await pkg.load();
  const failsWith = (allowed) =>
    withFilledThread(pkg, async (state) => {
      const use = prepareUse(state);
      const { error, printed } = await withLimitedMemory(state.memory, allowed, use);
      deepEqual(printed, []);
      if (!error) return false;
      equal(error.code, outOfMemory.code, `growth ${allowed}: ${error.stack}`);
      ok(error.cause instanceof WebAssembly.RuntimeError, `the cause is ${error.cause}`);
      expectSurvival(state, other);
      return true;
    });
  await refuseEachGrowth(failsWith);
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
  'a check': ({ thread }) => {
    const content = user(large);
    return () => thread.check(content);
  },
  'an answer': ({ strata, own }) => {
    const response = own(strata.response());
    const chunk = { candidates: [{ content: { role: 'model', parts: [{ text: large }] } }] };
    const bytes = new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\r\n\r\n`);
    return () => response.push(bytes);
  },
  'an answer that is moved into a thread': ({ strata, thread, own }) => {
    const response = own(strata.response());
    const candidates = [{ content: answer(large), finishReason: 'STOP' }];
    response.push(new TextEncoder().encode(JSON.stringify({ candidates })));
    return () => thread.appendAnswer(response);
  },
  'an import': ({ strata, own }) => {
    const from = JSON.stringify([user(large), answer(large)]);
    return () => own(strata.thread({ model, from }));
  },
  'a fork that grows': ({ thread, own }) => {
    const fork = own(thread.fork(30));
    return () => fork.append(user(large));
  },
  'a rewrite': ({ thread, own }) => {
    const replacements = [{ from: 0, to: 2, contents: [user(large)] }];
    return () => own(thread.rewrite(replacements));
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
      const failsWith = (allowed) =>
        withInstance(pkg, async ({ strata, memory, own }) => {
          const thread = own(strata.thread({ model, policy: 'repair' }));
          thread.append(user('go'), { at });
          thread.append({ role: 'model', parts: [call('f'), call('g')] }, { at, model });
          const saved = decode(thread.save());
          // Both calls lack results, which the repair adds before this turn.
          const next = user(large);
          const use = () => thread.append(next, { at });
          const { error, printed } = await withLimitedMemory(memory, allowed, use);
          deepEqual(printed, []);
          if (!error) {
            ok(thread.length > 2, `${thread.length} turns`);
            return false;
          }
          equal(error.code, outOfMemory.code, error.stack);
          equal(thread.length, 2);
          equal(decode(thread.save()), saved);
          return true;
        });
      await refuseEachGrowth(failsWith);
    },
  },
];

const changes = [
  {
    name: 'what survives is what the last call left, whichever call that was',
    run: (pkg) =>
      withInstance(pkg, async ({ strata, memory, own }) => {
        const open = (options) => own(strata.thread({ model, ...options }));
        const filled = () => {
          const thread = open();
          fillThread(thread);
          return thread;
        };
        const threads = { empty: open(), appended: filled(), rewound: filled(), again: filled() };
        threads.rewound.rewind(20);
        threads.again.rewind(20);
        threads.again.append(answer('another 20'), { at });
        threads.fork = own(threads.appended.fork(12));
        threads.forkOn = own(threads.appended.fork(12));
        threads.forkOn.append(user('of the fork'));
        threads.appended.append(user('of the first'));
        threads.rewritten = own(
          threads.appended.rewrite([{ from: 0, to: 6, contents: [user('sum')] }]),
        );
        threads.loaded = open({ from: threads.appended.save() });
        threads.listed = open({ from: [user('hi')] });
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
        const { error } = await withLimitedMemory(memory, 0, () => strata.estimateTokens(large));
        equal(error.code, outOfMemory.code);
        for (const [name, lines, contents] of expected) {
          equal(decode(threads[name].save()), lines, name);
          deepEqual(contentsOf(threads[name]), contents, name);
          const { turns } = threads[name].timeline({ content: true });
          deepEqual(
            turns.map(({ content }) => content),
            contents.map((content) => JSON.parse(content)),
          );
        }
      }),
  },
  {
    name: 'any other trap leaves the turns as well',
    run: (pkg) =>
      withFilledThread(pkg, async ({ thread, expected }) => {
        // An exception in the middle of a call ends the instance like a trap.
        const { encodeInto } = TextEncoder.prototype;
        TextEncoder.prototype.encodeInto = () => {
          throw new Error('thrown by the test');
        };
        const error = await caught(() => thread.append('{}'));
        TextEncoder.prototype.encodeInto = encodeInto;
        equal(error?.code, 'instance.poisoned');
        equal(thread.length, 50);
        equal(decode(thread.save()), expected.lines);
        throws(() => thread.append(user('x')), { code: 'instance.poisoned' });
      }),
  },
  {
    name: 'turns in overwritten memory are not made up',
    run: (pkg) =>
      withFilledThread(pkg, ({ memory, thread }) => {
        new Uint8Array(memory.buffer).fill(0xff);
        throws(() => thread.append(user('x')), { code: 'instance.poisoned' });
        throws(() => thread.save(), { code: 'instance.poisoned' });
        throws(() => thread.length, { code: 'instance.poisoned' });
      }),
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
async function openChat(pkg, own, store, run = () => 'short') {
  const { strata, memory } = await loadWithMemory(pkg.load);
  const fetch = async (_, init) => modelAnswer(new Uint8Array(init.body));
  const client = new pkg.GeminiClient({ fetch, retry: false });
  const tools = [{ name: 'read', run }];
  // The large text is more than the model's context.
  const options = { model, now, tools, answerRetry: false, contextGuard: false, store, id: 'one' };
  const chat = own(await pkg.Conversation.open(strata, client, options));
  const send = async (input) => {
    for await (const event of chat.send(input)) void event;
  };
  return { chat, memory, send };
}

const conversations = [
  {
    name: 'a conversation whose memory is refused has everything in its store, and another instance resumes it',
    async run(pkg) {
      const failsWith = (allowed) =>
        withOwner(async (own) => {
          const store = new pkg.MemoryStore();
          const first = await openChat(pkg, own, store);
          await first.send('hello');
          await first.send('use it');
          const { error, printed } = await withLimitedMemory(first.memory, allowed, () =>
            first.send(large),
          );
          deepEqual(printed, []);
          if (!error) return false;
          equal(error.code, outOfMemory.code, error.stack);
          const left = contentsOf(first.chat.thread);
          ok(left.length === 6 || left.length === 7, `${left.length} turns`);
          await rejects(first.send('once more'), outOfMemory);
          equal((await store.read('one')).join('\n'), decode(first.chat.thread.save()).trimEnd());

          const second = await openChat(pkg, own, store);
          deepEqual(contentsOf(second.chat.thread), left);
          await second.send(left.length === 7 ? '' : 'go on');
          equal(second.chat.thread.length, 8);
          return true;
        });
      await refuseEachGrowth(failsWith);
    },
  },
  {
    name: 'a conversation whose memory is refused for the result of a tool keeps the call, and another instance runs it',
    run: (pkg) =>
      withOwner(async (own) => {
        const store = new pkg.MemoryStore();
        let runs = 0;
        const read = () => (runs++, large);
        const first = await openChat(pkg, own, store, read);
        await first.send('hello');
        const { error } = await withLimitedMemory(first.memory, 0, () => first.send('use it'));
        equal(error?.code, outOfMemory.code, error?.stack);
        equal(first.chat.thread.length, 4);
        equal(runs, 1);

        const second = await openChat(pkg, own, store, read);
        await second.send('');
        equal(second.chat.thread.length, 6);
        equal(runs, 2);
      }),
  },
  {
    name: 'a conversation without a store resumes from its saved thread',
    run: (pkg) =>
      withInstance(pkg, async ({ strata, memory, own }) => {
        const fetch = async (_, init) => modelAnswer(new Uint8Array(init.body));
        const client = new pkg.GeminiClient({ fetch, retry: false });
        const chat = own(new pkg.Conversation(strata, client, { model, now }));
        for await (const event of chat.send('hello')) void event;
        const { error } = await withLimitedMemory(memory, 0, async () => {
          for await (const event of chat.send(large)) void event;
        });
        equal(error?.code, outOfMemory.code, error?.stack);
        const other = await pkg.load();
        const thread = own(other.thread({ model, from: chat.thread.save() }));
        equal(thread.length, 2);
        const resumed = new pkg.Conversation(other, client, { model, now, thread });
        for await (const event of resumed.send('go on')) void event;
        equal(thread.length, 4);
      }),
  },
];

export default [...survivals, ...repairs, ...changes, ...conversations];
