// Cases of thread-crashes.test.mjs: the process of a thread ends at each of its writes, and another one continues.
import { compareEventIds, parseEventId } from '../../web/worker/threads/event-log.ts';
import { deepEqual, equal, ok } from '../js/portable/assert.mjs';
import { Random } from '../fuzz/random.mjs';
import { answerOf, ask, createThread, linesOf, network, onNetwork } from './thread-parts.mjs';

const ended = 'The process has ended';
const calls = [
  { functionCall: { name: 'measure', args: {} }, thoughtSignature: 'c2lnbmVk' },
  { functionCall: { name: 'ask_user', args: {} } },
];

/** Calls both tools, and answers their results and other questions with two texts. */
async function scriptedApi(_, { body }) {
  await network();
  const { contents } = JSON.parse(await new Response(body).text());
  const last = contents.at(-1).parts.at(-1);
  return last.text === 'Measure'
    ? answerOf(calls)
    : answerOf([{ text: 'One, ' }, { text: 'two.' }]);
}

/**
 * A process of the object. A step is a write, or a use of the network. The process ends after the turn of the event loop
 * with its `dieAt`th step, because Durable Objects store together what one turn writes.
 */
class Process {
  isDead = false;
  steps = 0;
  #dieAt;
  #die;

  constructor(storage, dieAt, measure) {
    this.#dieAt = dieAt;
    onNetwork(() => this.#step());
    this.died = new Promise((resolve) => (this.#die = resolve));
    const guarded = {
      sql: { exec: (...query) => this.#exec(storage, query) },
      transactionSync: (work) => storage.transactionSync(work),
      setAlarm: async () => this.#check(),
      deleteAlarm: async () => this.#check(),
      deleteAll: async () => this.#check() ?? storage.deleteAll(),
    };
    const run = async () => (this.isDead ? new Promise(() => {}) : measure());
    this.thread = createThread(guarded, [{ name: 'measure', run }]);
  }

  #exec(storage, query) {
    this.#check();
    if (/^(INSERT|UPDATE|DELETE)/.test(query[0].trim())) this.#step();
    return storage.sql.exec(...query);
  }

  #step() {
    if (++this.steps !== this.#dieAt) return;
    setTimeout(() => {
      this.isDead = true;
      this.#die();
    }, 0);
  }

  #check() {
    if (this.isDead) throw new Error(ended);
  }
}

/** A client that repeats what a process that ended has left, and notes each event. */
class Client {
  seen = [];
  crashes = 0;
  measured = 0;
  measuredAgain = false;
  #storage;
  #endings;
  #process;
  #wakesByAlarm;

  /** The processes end at these steps, one after the other; the last one does not. */
  constructor(storage, endings) {
    this.#storage = storage;
    this.#endings = endings.values();
    this.#wakesByAlarm = endings[0] % 2 === 0;
    this.#process = this.#start();
  }

  get steps() {
    return this.#process.steps;
  }

  /** Returns the text of the answer to an operation, from whichever process completes it. */
  async text(operation, init) {
    return this.#survive(async ({ thread }) => (await ask(thread, operation, init)).text());
  }

  /** Posts, and returns the type of the last event. Reads on from the last event after a crash. */
  async post(operation, body, key) {
    const headers = { accept: 'application/x-ndjson', ...(key && { 'idempotency-key': key }) };
    const init = { method: 'POST', body: JSON.stringify(body), headers };
    const known = this.seen.length;
    let isPosted = false;
    return this.#survive(async (process) => {
      const last = this.seen.at(-1)?.eventId;
      const response =
        isPosted && this.seen.length > known
          ? await ask(process.thread, `events?until=end&after=${last}`, { headers })
          : await ask(process.thread, operation, init);
      equal(response.status, 200);
      isPosted = true;
      await this.#read(response, process);
      return this.seen.at(-1).type;
    });
  }

  async #read(response, process) {
    let rest = '';
    for await (const bytes of response.body) {
      if (process.isDead) return;
      const lines = (rest + new TextDecoder().decode(bytes)).split('\n');
      rest = lines.pop();
      this.seen.push(...lines.filter(Boolean).map((line) => JSON.parse(line)));
    }
  }

  async #survive(work) {
    for (;;) {
      const current = this.#process;
      const lost = Symbol('lost');
      const result = await Promise.race([work(current), current.died.then(() => lost)]);
      if (!current.isDead) return result;
      this.crashes++;
      this.#process = this.#start();
      if (this.#wakesByAlarm) await this.#process.thread.alarm();
    }
  }

  /** Returns whether the store has the tool's result. */
  #hasResult() {
    const rows = this.#storage.sql.exec('SELECT bytes FROM turn_pieces').toArray();
    return rows.some(({ bytes }) => new TextDecoder().decode(bytes).includes('celsius'));
  }

  #start() {
    const { value: dieAt = Infinity } = this.#endings.next();
    return new Process(this.#storage, dieAt, async () => {
      this.measured++;
      this.measuredAgain ||= this.#hasResult();
      await network();
      return { celsius: 4 };
    });
  }
}

const stored = ['sent', 'resumed', 'turn', 'toolCall', 'toolResult', 'waiting', 'failed', 'stored'];

function checkOrder(events, point) {
  for (let i = 1; i < events.length; i++) {
    const [before, after] = events.slice(i - 1, i + 1).map(({ eventId }) => parseEventId(eventId));
    ok(
      compareEventIds(before, after) < 0,
      `${point}: ${events[i].eventId} follows ${events[i - 1].eventId}`,
    );
  }
}

/** Runs a conversation with both kinds of tools. Returns its client. */
async function converse(storage, endings) {
  await storage.deleteAll();
  const point = `the processes end at the steps ${endings}`;
  const client = new Client(storage, endings);
  const post = { method: 'POST' };
  await client.text('create', { ...post, body: JSON.stringify({ tools: [{ name: 'ask_user' }] }) });
  equal(await client.post('messages', { message: 'Measure' }, 'one'), 'waiting', point);
  const results = [{ callId: '1.1.1', response: { yes: true } }];
  equal(await client.post('results', { results }), 'stored', point);
  equal(await client.post('messages', { message: 'And now?' }, 'two'), 'stored', point);
  const turns = linesOf(await client.text('turns'));
  deepEqual(
    turns.map(({ kind }) => kind),
    ['user', 'model', 'tool', 'model', 'user', 'model'],
    point,
  );
  const [measured, asked] = turns[2].content.parts.map((part) => part.functionResponse.response);
  deepEqual(asked, { output: { yes: true } }, point);
  deepEqual(measured, { output: { celsius: 4 } }, point);
  ok(!client.measuredAgain, `${point}: the tool ran although its result was stored`);
  ok(client.measured <= 1 + client.crashes, point);
  for (const index of [3, 5]) {
    equal(turns[index].content.parts.map(({ text }) => text).join(''), 'One, two.', point);
  }
  checkOrder(client.seen, point);
  const all = [];
  const accept = { headers: { accept: 'application/x-ndjson' } };
  for (const send of [1, 2]) all.push(...linesOf(await client.text(`events?send=${send}`, accept)));
  checkOrder(all, point);
  const isStored = ({ type }) => stored.includes(type);
  deepEqual(client.seen.filter(isStored), all.filter(isStored), point);
  for (const type of ['sent', 'stored'])
    equal(all.filter((event) => event.type === type).length, 2, point);
  return client;
}

/** Creates a thread with a history and with a key. Returns its client. */
async function createOnce(storage, endings) {
  await storage.deleteAll();
  const point = `the processes end at the steps ${endings}`;
  const client = new Client(storage, endings);
  const from = ['Hello', 'Hi', 'How?', 'Fine'].map((text, index) => ({
    role: index % 2 === 0 ? 'user' : 'model',
    parts: [{ text }],
  }));
  const create = { method: 'POST', body: JSON.stringify({ from }), bodyHash: 'one' };
  equal(JSON.parse(await client.text('create', create)).turns, 4, point);
  // Another process may have ended after it was whole.
  equal(JSON.parse(await client.text('created', create)).turns, 4, point);
  equal(linesOf(await client.text('turns')).length, 4, point);
  const other = { ...create, bodyHash: 'two' };
  for (const operation of ['create', 'created']) {
    const { error } = JSON.parse(await client.text(operation, other));
    equal(error.code, 'idempotency.mismatch', point);
  }
  return client;
}

function setUp() {
  globalThis.fetch = scriptedApi;
  const { error } = console;
  // A process that has ended cannot log.
  console.error = (first, ...rest) => first?.message === ended || error(first, ...rest);
}

// Each of so many cases takes its share of the steps, because a case has a time limit.
const shares = 4;

const crashesAtEachStep = (share) => ({
  name: `another process continues after a crash at any step, ${share} of ${shares}`,
  async run(storage) {
    setUp();
    const { steps } = await converse(storage, []);
    ok(steps > 50, `only ${steps} steps`);
    for (let dieAt = share; dieAt <= steps; dieAt += shares) {
      const { crashes } = await converse(storage, [dieAt]);
      equal(crashes, 1, `step ${dieAt}`);
    }
  },
});

export default [
  ...Array.from({ length: shares }, (_, index) => crashesAtEachStep(index + 1)),
  {
    name: 'a thread that was created with a key is whole, or created again',
    async run(storage) {
      setUp();
      const { steps } = await createOnce(storage, []);
      ok(steps > 8, `only ${steps} steps`);
      for (let dieAt = 1; dieAt <= steps; dieAt++) await createOnce(storage, [dieAt]);
    },
  },
  {
    name: 'concurrent requests with one key create one thread, and another body is refused',
    async run(storage) {
      setUp();
      await storage.deleteAll();
      const { thread } = new Process(storage, Infinity, async () => ({}));
      const from = [{ role: 'user', parts: [{ text: 'Hello' }] }];
      const body = JSON.stringify({ from });
      const hashes = ['one', 'one', 'two', 'one'];
      const responses = await Promise.all(
        hashes.map((bodyHash) => ask(thread, 'create', { method: 'POST', body, bodyHash })),
      );
      deepEqual(
        responses.map(({ status }) => status),
        [200, 200, 422, 200],
      );
      for (const at of [0, 1, 3]) equal((await responses[at].json()).turns, 1);
    },
  },
  {
    name: 'a failed creation with a key leaves nothing, and a deleted thread can be created again',
    async run(storage) {
      setUp();
      await storage.deleteAll();
      const { thread } = new Process(storage, Infinity, async () => ({}));
      const post = { method: 'POST', bodyHash: 'one' };
      const parts = [{ functionResponse: { name: 'measure', response: {} } }];
      const invalid = JSON.stringify({ from: [{ role: 'user', parts }] });
      const statusOf = async (operation, init) => (await ask(thread, operation, init)).status;
      equal(await statusOf('create', { ...post, body: invalid }), 422);
      equal(await statusOf('created', post), 404);
      equal(await statusOf('create', { ...post, body: '{}' }), 200);
      equal(await statusOf('delete', post), 204);
      equal(await statusOf('created', post), 404);
      equal(await statusOf('create', { ...post, body: '{}' }), 200);
    },
  },
  {
    name: 'several processes may crash one after the other',
    async run(storage) {
      setUp();
      const random = new Random('crashes');
      for (let run = 0; run < 30; run++) {
        const endings = random.times(4, () => random.between(1, 30));
        await converse(storage, endings);
      }
    },
  },
];
