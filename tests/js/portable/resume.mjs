// Persistence: whatever moment a process dies in, the next one goes on from the store, and ends where the
// undisturbed one ends: no turn lost, none repeated, no stored result run for again.
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

/** A model without memory: what it says follows from the request alone. */
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

const dead = new Error('the process died');

/** Counts what a process does; the operation of this number, and all after it, fail. */
function fate(limit, after) {
  let count = 0;
  const step = async (work) => {
    count++;
    if (count < limit) return work();
    if (count === limit && after) await work();
    throw dead;
  };
  return { step, count: () => count };
}

/** The store as one process sees it. */
const mortal = (store, { step }) => ({
  read: (id) => step(() => store.read(id)),
  write: (id, at, lines) => step(() => store.write(id, at, lines)),
  store: (id, name, bytes) => step(() => store.store(id, name, bytes)),
  readStored: (id, name) => step(() => store.readStored(id, name)),
  delete: (id) => step(() => store.delete(id)),
});

/** One process: opens, sends what is not there yet, and goes on to the end. */
async function live(strata, core, store, life, world) {
  const fetch = (_, init) =>
    life.step(async () => {
      world.bodies.push(new Uint8Array(init.body));
      return modelAnswer(init.body);
    });
  const note = {
    name: 'note',
    run: ({ n }) => life.step(async () => (world.runs.push(n), { noted: n })),
  };
  const client = new strata.GeminiClient({ fetch, retry: false });
  const chat = await strata.Conversation.open(core, client, {
    ...{ model, now, tools: [note], answerRetry: false },
    ...{ store: mortal(store, life), id: 'one' },
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

async function undisturbed(strata) {
  const core = await strata.load();
  const world = { bodies: [], runs: [] };
  const life = fate(Infinity, false);
  const turns = await live(strata, core, new strata.MemoryStore(), life, world);
  return { core, turns, steps: life.count() };
}

/** Dies at one operation; the next process opens the same place and lives. */
async function survives(strata, { core, turns }, open, at, after) {
  const world = { bodies: [], runs: [] };
  const first = await live(strata, core, open(), fate(at, after), world).catch((error) => error);
  const wasStored = (await linesOf(open())).filter(({ kind }) => kind === 'result').length;
  const end = await live(strata, core, open(), fate(Infinity, false), world);
  const where = `${after ? 'after' : 'before'} operation ${at}: ${first}`;
  deepEqual(end, turns, where);
  const saved = (await linesOf(open())).filter(({ kind }) => kind !== 'result');
  deepEqual(
    saved.map(({ content }) => content),
    turns,
    where,
  );
  for (const n of [1, 2, 3, 4]) ok(world.runs.includes(n), `${n} never ran, ${where}`);
  const repeated = world.runs.length - 4;
  // A result that was stored is not run for again; one that was under way is.
  ok(repeated <= 3 - Math.min(wasStored, 3), `${world.runs}, ${wasStored} stored, ${where}`);
  for (const body of world.bodies) {
    ok(core.lint(body, { model }).ok, `${where}: ${text(body)}`);
  }
}

/**
 * Lets a process die before and after each of its operations, or every `nth` one. `place` gives, for a new
 * place each time, a function that opens a store there.
 */
export async function resumesAnywhere(strata, place, nth = 1) {
  const reference = await undisturbed(strata);
  ok(reference.steps > 15, `${reference.steps}`);
  for (let at = 1; at <= reference.steps; at += nth) {
    await survives(strata, reference, await place(), at, false);
    await survives(strata, reference, await place(), at, true);
  }
}

const crashes = [
  {
    name: 'a crash before or after any operation: the next process ends where one alone ends',
    run: (strata) =>
      resumesAnywhere(strata, () => {
        const store = new strata.MemoryStore();
        return () => store;
      }),
  },
  {
    name: 'the same in IndexedDB, where there is one',
    async run(strata) {
      if (typeof indexedDB === 'undefined') return;
      let places = 0;
      const newPlace = async () => {
        const name = `prompt-strata crash ${places++}`;
        await new strata.IndexedDbStore(name).delete('one');
        return () => new strata.IndexedDbStore(name);
      };
      // A database waits for the disk at each write.
      await resumesAnywhere(strata, newPlace, 3);
    },
  },
  {
    name: 'in the same process a failed write is made good by the next send',
    async run(strata) {
      const core = await strata.load();
      const store = new strata.MemoryStore();
      let broken = true;
      const flaky = {
        ...mortal(store, { step: (work) => work() }),
        write: (id, at, lines) =>
          broken && lines.some((line) => line.includes('"model"'))
            ? Promise.reject(new Error('disk full'))
            : store.write(id, at, lines),
      };
      const fetch = async (_, init) => modelAnswer(init.body);
      const client = new strata.GeminiClient({ fetch, retry: false });
      const options = { model, now, store: flaky, id: 'one', answerRetry: false };
      const chat = await strata.Conversation.open(core, client, options);
      const send = async (words) => {
        for await (const event of chat.send(words)) void event;
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
    name: 'a call that may not be run twice is answered with what is known about it',
    async run(strata) {
      const core = await strata.load();
      const store = new strata.MemoryStore();
      const world = [];
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
        world.push(n);
        if (n === 2) return new Promise(() => running());
        return n;
      });
      // The first process is left standing where it is: nothing of it happens any more.
      void (async () => {
        for await (const event of first.send('Go')) void event;
      })();
      await started;
      for (let i = 0; i < 20; i++) await new Promise((resolve) => setTimeout(resolve, 1));
      const second = await start(({ n }) => (world.push(n), n));
      for await (const event of second.send('')) void event;
      const results = turnsOf(second.thread)[2].parts.map((part) => part.functionResponse.response);
      deepEqual([results[0], results[2]], [{ output: 1 }, { output: 3 }]);
      match(results[1].error, /nobody knows/);
      deepEqual([...world].sort(), [1, 2, 3, 4]);
    },
  },
];

const others = [
  {
    name: 'a stored conversation has its manifests, and goes on with a stable prefix',
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
      ok(request.manifest.stablePrefixBytes > 0, 'the last manifest was forgotten');
    },
  },
  {
    name: 'rewind takes turns back, in the store too',
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
    name: 'sends that come together are read one after the other, where that is asked for',
    async run(strata) {
      const core = await strata.load();
      const fetch = async (_, init) => modelAnswer(init.body);
      const client = new strata.GeminiClient({ fetch, retry: false });
      const chat = new strata.Conversation(core, client, { model, now, concurrent: 'queue' });
      const send = async (words) => {
        for await (const event of chat.send(words)) void event;
      };
      const controller = new AbortController();
      const [, , left] = await Promise.allSettled([
        send('one'),
        send('two'),
        (async () => {
          const events = chat.send('never', controller);
          controller.abort(new Error('enough'));
          await events.next();
        })(),
        send('three'),
      ]);
      equal(left.reason?.message, 'enough');
      deepEqual(
        turnsOf(chat.thread).map(({ parts }) => parts[0].text),
        ['one', 'Hello.', 'two', 'Hello.', 'three', 'Hello.'],
      );
    },
  },
];

export default [...crashes, ...others];
