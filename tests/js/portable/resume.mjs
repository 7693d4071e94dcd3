// Persistence: a process can crash at any moment, and the next one resumes from the store and reaches the same end:
// no turn is lost or repeated, and no tool with a stored result runs again.
import { deepEqual, equal, match, ok, rejects } from './assert.mjs';

const model = 'gemini-3.8-flash';
const now = () => '2026-11-21T10:00:00Z';
const text = (utf8) => new TextDecoder().decode(utf8);
const signature = 'c2lnbmVkIGJ5IHRoZSBtb2RlbA==';

const stream = (parts) =>
  new Response(
    `data: ${JSON.stringify({
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 5, totalTokenCount: 25 },
    })}\r\n\r\n`,
  );

const call = (name, args, id) => ({ functionCall: { id, name, args } });
const signed = (part) => ({ ...part, thoughtSignature: signature });

/** Simulates a stateless model: its answer depends on the request only. */
function modelAnswer(body) {
  const { contents } = JSON.parse(text(body));
  const last = contents.at(-1).parts;
  const results = last.filter(({ functionResponse }) => functionResponse).length;
  if (results === 3) return stream([signed(call('note', { n: 4 }, 'd'))]);
  if (results === 1) return stream([{ text: 'Done.' }]);
  if (last[0].text !== 'Go') return stream([{ text: 'Hello.' }]);
  return stream([
    signed(call('note', { n: 1 }, 'a')),
    call('note', { n: 2 }, 'b'),
    call('note', { n: 3 }, 'c'),
  ]);
}

const crashed = new Error('the process crashed');

/** Counts the operations of a process and fails from operation `limit` on; with `after`, that one still completes. */
function crashAt(limit, after) {
  let count = 0;
  const step = async (work) => {
    count++;
    if (count < limit) return work();
    if (count === limit && after) await work();
    throw crashed;
  };
  return { step, count: () => count };
}

/** Wraps a store so that each operation is a step of the process. */
const crashingStore = (store, { step }) => ({
  read: (id) => step(() => store.read(id)),
  write: (id, at, lines) => step(() => store.write(id, at, lines)),
  store: (id, name, bytes) => step(() => store.store(id, name, bytes)),
  readStored: (id, name) => step(() => store.readStored(id, name)),
  delete: (id) => step(() => store.delete(id)),
});

/** Runs one process: opens the conversation and sends what is missing until the end. */
async function runProcess(strata, core, store, process, recorded) {
  const fetch = (_, init) =>
    process.step(async () => {
      recorded.bodies.push(new Uint8Array(init.body));
      return modelAnswer(init.body);
    });
  const note = {
    name: 'note',
    run: ({ n }) => process.step(async () => (recorded.runs.push(n), { noted: n })),
  };
  const client = new strata.GeminiClient({ fetch, retry: false });
  const chat = await strata.Conversation.open(core, client, {
    ...{ model, now, tools: [note], answerRetry: false },
    ...{ store: crashingStore(store, process), id: 'one' },
  });
  const send = async (input) => {
    for await (const event of chat.send(input)) void event;
  };
  if (chat.unanswered) await send('');
  if (chat.thread.length === 0) await send('Go');
  if (chat.thread.length < 7) await send('Bye');
  return turnsOf(chat.thread);
}

const turnsOf = (thread) =>
  Array.from({ length: thread.length }, (_, i) => JSON.parse(text(thread.content(i))));

async function linesOf(store) {
  const lines = await store.read('one');
  return lines.map((line) => JSON.parse(line));
}

async function runWithoutCrash(strata) {
  const core = await strata.load();
  const checker = await strata.check.loadChecker();
  const recorded = { bodies: [], runs: [] };
  const process = crashAt(Infinity, false);
  const turns = await runProcess(strata, core, new strata.MemoryStore(), process, recorded);
  return { core, checker, turns, steps: process.count() };
}

/** Crashes a process at one operation and checks that the next process finishes with the same store. */
async function checkCrash(strata, { core, checker, turns }, open, at, after) {
  const recorded = { bodies: [], runs: [] };
  const first = await runProcess(strata, core, open(), crashAt(at, after), recorded).catch(
    (error) => error,
  );
  const wasStored = (await linesOf(open())).filter(({ kind }) => kind === 'result').length;
  const end = await runProcess(strata, core, open(), crashAt(Infinity, false), recorded);
  const where = `${after ? 'after' : 'before'} operation ${at}: ${first}`;
  deepEqual(end, turns, where);
  const saved = (await linesOf(open())).filter(({ kind }) => kind !== 'result');
  deepEqual(
    saved.map(({ content }) => content),
    turns,
    where,
  );
  for (const n of [1, 2, 3, 4]) ok(recorded.runs.includes(n), `${n} never ran, ${where}`);
  const repeated = recorded.runs.length - 4;
  // A call with a stored result does not run again; an interrupted one does.
  ok(repeated <= 3 - Math.min(wasStored, 3), `${recorded.runs}, ${wasStored} stored, ${where}`);
  for (const body of recorded.bodies) {
    ok(checker.lint(body, { model }).ok, `${where}: ${text(body)}`);
  }
}

/**
 * Crashes a process before and after each of its operations, or every `nth` one. Each call of `newPlace` returns a
 * function that opens a store in a new, empty place.
 */
export async function checkCrashRecovery(strata, newPlace, nth = 1) {
  const reference = await runWithoutCrash(strata);
  ok(reference.steps > 15, `${reference.steps}`);
  for (let at = 1; at <= reference.steps; at += nth) {
    await checkCrash(strata, reference, await newPlace(), at, false);
    await checkCrash(strata, reference, await newPlace(), at, true);
  }
}

const crashes = [
  {
    name: 'resumes from a memory store after a crash before or after any operation',
    run: (strata) =>
      checkCrashRecovery(strata, () => {
        const store = new strata.MemoryStore();
        return () => store;
      }),
  },
  {
    name: 'resumes from IndexedDB, if available, after a crash before or after an operation',
    async run(strata) {
      if (typeof indexedDB === 'undefined') return;
      let places = 0;
      const newPlace = async () => {
        const name = `prompt-strata crash ${places++}`;
        await new strata.IndexedDbStore(name).delete('one');
        return () => new strata.IndexedDbStore(name);
      };
      // IndexedDB writes are slow, so only every third operation is tested.
      await checkCrashRecovery(strata, newPlace, 3);
    },
  },
  {
    name: 'repeats a failed write with the next send in the same process',
    async run(strata) {
      const core = await strata.load();
      const store = new strata.MemoryStore();
      let broken = true;
      const flaky = {
        ...crashingStore(store, { step: (work) => work() }),
        write: (id, at, lines) =>
          broken && lines.some((line) => line.includes('"model"'))
            ? Promise.reject(new Error('disk full'))
            : store.write(id, at, lines),
      };
      const fetch = async (_, init) => modelAnswer(init.body);
      const client = new strata.GeminiClient({ fetch, retry: false });
      const options = { model, now, store: flaky, id: 'one', answerRetry: false };
      const chat = await strata.Conversation.open(core, client, options);
      const send = async (message) => {
        for await (const event of chat.send(message)) void event;
      };
      await rejects(send('Hi'), { message: 'disk full' });
      broken = false;
      await send('Again');
      deepEqual(
        (await linesOf(store)).map(({ kind }) => kind),
        ['user', 'model', 'user', 'model'],
      );
    },
  },
  {
    name: 'does not run a tool that is not idempotent again, and reports that its result is unknown',
    async run(strata) {
      const core = await strata.load();
      const store = new strata.MemoryStore();
      const runs = [];
      const start = async (run) => {
        const fetch = async (_, init) => modelAnswer(init.body);
        const client = new strata.GeminiClient({ fetch, retry: false });
        const tools = [{ name: 'note', idempotent: false, run }];
        return strata.Conversation.open(core, client, {
          ...{ model, now, store, id: 'one', tools },
          toolTimeoutMs: 0,
        });
      };
      let running;
      const started = new Promise((resolve) => (running = resolve));
      const first = await start(({ n }) => {
        runs.push(n);
        if (n === 2) return new Promise(() => running());
        return n;
      });
      // The first process stops here and does nothing more.
      void (async () => {
        for await (const event of first.send('Go')) void event;
      })();
      await started;
      for (let i = 0; i < 20; i++) await new Promise((resolve) => setTimeout(resolve, 1));
      const second = await start(({ n }) => (runs.push(n), n));
      for await (const event of second.send('')) void event;
      const results = turnsOf(second.thread)[2].parts.map((part) => part.functionResponse.response);
      deepEqual([results[0], results[2]], [{ output: 1 }, { output: 3 }]);
      match(results[1].error, /nobody knows/);
      deepEqual([...runs].sort(), [1, 2, 3, 4]);
    },
  },
];

const others = [
  {
    name: 'stores manifests and resumes with a stable prefix',
    async run(strata) {
      const core = await strata.load();
      const store = new strata.MemoryStore();
      const open = async () => {
        const fetch = async (_, init) => modelAnswer(init.body);
        const client = new strata.GeminiClient({ fetch, retry: false });
        const layers = { static: { text: 'Be brief, always.' }, dynamic: { text: '' } };
        return strata.Conversation.open(core, client, { model, now, store, id: 'one', ...layers });
      };
      for await (const event of (await open()).send('Hi')) void event;
      const [, answer] = await linesOf(store);
      ok(answer.meta.manifest.fingerprints.full.length === 64, 'no manifest');
      let request;
      for await (const event of (await open()).send('Well')) {
        if (event.type === 'request') request ??= event;
      }
      ok(request.manifest.stablePrefixBytes > 0, 'the last manifest was not restored');
    },
  },
  {
    name: 'refuses to write what another object has written, and loses none of its turns',
    async run(strata) {
      const core = await strata.load();
      const client = new strata.GeminiClient({ fetch: strata.createEmulator() });
      const store = new strata.MemoryStore();
      const open = () => strata.Conversation.open(core, client, { model, store, id: 'a' });
      const [first, second] = [await open(), await open()];
      await first.ask('one');
      await rejects(second.ask('two'), { name: 'StrataError', code: 'store.conflict' });
      await rejects(second.rewind(0), { code: 'store.conflict' });
      await first.ask('three');
      const third = await open();
      equal(third.history.length, 4);
      await third.rewind(2);
      await rejects(first.ask('four'), { code: 'store.conflict' });
      equal((await open()).history.length, 2);
    },
  },
  {
    name: 'removes turns from the store on rewind',
    async run(strata) {
      const core = await strata.load();
      const store = new strata.MemoryStore();
      const fetch = async (_, init) => modelAnswer(init.body);
      const client = new strata.GeminiClient({ fetch, retry: false });
      const chat = await strata.Conversation.open(core, client, { model, now, store, id: 'one' });
      for await (const event of chat.send('Hi')) void event;
      await chat.rewind(0);
      for await (const event of chat.send('Ho')) void event;
      deepEqual(
        (await linesOf(store)).map(({ content }) => content.parts[0].text),
        ['Ho', 'Hello.'],
      );
    },
  },
  {
    name: 'runs concurrent sends one after the other with concurrent: "queue"',
    async run(strata) {
      const core = await strata.load();
      const fetch = async (_, init) => modelAnswer(init.body);
      const client = new strata.GeminiClient({ fetch, retry: false });
      const chat = new strata.Conversation(core, client, { model, now, concurrent: 'queue' });
      const send = async (message) => {
        for await (const event of chat.send(message)) void event;
      };
      const controller = new AbortController();
      const [, , aborted] = await Promise.allSettled([
        send('one'),
        send('two'),
        (async () => {
          const events = chat.send('never', controller);
          controller.abort(new Error('enough'));
          await events.next();
        })(),
        send('three'),
      ]);
      equal(aborted.reason?.message, 'enough');
      deepEqual(
        turnsOf(chat.thread).map(({ parts }) => parts[0].text),
        ['one', 'Hello.', 'two', 'Hello.', 'three', 'Hello.'],
      );
    },
  },
];

export default [...crashes, ...others];
