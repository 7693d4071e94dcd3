// Tests that a message is sent once however often, in whatever order and by how many connections it arrives, and that
// all watchers see the same events.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test, { before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventsOf, RefusedError, ThreadClient } from '../support/thread-client.mjs';
import { Random } from '../fuzz/random.mjs';
import { callerKey, chunk, setUp, startWorker, within } from './worker-process.mjs';

setUp();

const textsIn = (contents) => contents.map(({ parts }) => parts.map(({ text }) => text).join(''));

let requests = 0;

/** Answers the last question in pieces. */
async function api(request) {
  requests++;
  const { contents } = JSON.parse(await request.text());
  const words = `Answer to ${textsIn(contents).at(-1)}`.split(/(?= )/);
  const encoder = new TextEncoder();
  const body = new ReadableStream({
    async start(out) {
      for (const [index, word] of words.entries()) {
        await sleep(5);
        const isLast = index === words.length - 1;
        out.enqueue(encoder.encode(chunk(word, isLast ? { finishReason: 'STOP' } : {})));
      }
      out.close();
    },
  });
  return new Response(body);
}

const keyHash = (key) => createHash('sha256').update(key).digest('hex');
const otherKey = 'key-of-another_0123456789abcdef';
const callers = Object.entries({ one: callerKey, other: otherKey });
const GATEWAY_CALLERS = JSON.stringify(callers.map(([id, key]) => ({ id, keyHash: keyHash(key) })));

let client;
before(async () => {
  const worker = await startWorker({ api, bindings: { CALLER_KEY: undefined, GATEWAY_CALLERS } });
  client = new ThreadClient((await worker.ready).origin, callerKey);
});

/** Returns all events of a response with their ids. */
async function allOf(response) {
  const events = [];
  for await (const each of eventsOf(await response)) events.push(each);
  return events;
}

const send = (id, message, key) => within(allOf(client.send(id, message, { key })));

/** Asserts that the thread has these questions, each with its answer. Their order counts unless `inAnyOrder`. */
async function assertTurns(id, questions, { inAnyOrder = false } = {}) {
  const turns = (await client.turns(id)).map((line) => JSON.parse(line).content).filter(Boolean);
  const texts = textsIn(turns);
  const asked = texts.filter((_, index) => index % 2 === 0);
  assert.deepEqual(
    texts,
    asked.flatMap((text) => [text, `Answer to ${text}`]),
  );
  const order = (list) => (inAnyOrder ? [...list].sort() : list);
  assert.deepEqual(order(asked), order(questions));
}

const typesOf = (events) => events.map(({ event }) => event.type);

test('a repeated send is the same send: its events again, and one turn', async () => {
  const id = await client.create();
  const before = requests;
  const first = await send(id, 'Where is Oslo?', 'one');
  assert.equal(first[0].event.type, 'sent');
  assert.deepEqual(first.at(-1).event, { type: 'stored', turns: 2 });
  assert.deepEqual(await send(id, 'Where is Oslo?', 'one'), first);
  await send(id, 'And Rome?', 'two');
  assert.deepEqual(await send(id, 'Where is Oslo?', 'one'), first);
  assert.equal(requests, before + 2);
  await assertTurns(id, ['Where is Oslo?', 'And Rome?']);
});

test('concurrent sends with one key are one send, whose events all of them receive', async () => {
  const id = await client.create();
  const all = await Promise.all(Array.from({ length: 12 }, () => send(id, 'Once', 'same')));
  for (const events of all) assert.deepEqual(events, all[0]);
  await assertTurns(id, ['Once']);
});

test('sends without a key are sends of their own, one after the other', async () => {
  const id = await client.create();
  await Promise.all(Array.from({ length: 5 }, () => send(id, 'Again')));
  await assertTurns(
    id,
    Array.from({ length: 5 }, () => 'Again'),
  );
});

test('a key with another body is refused, and nothing is sent', async () => {
  const id = await client.create();
  await send(id, 'This', 'key');
  for (const message of ['That', [{ text: 'This' }, { text: 'and more' }]]) {
    await assert.rejects(client.send(id, message, { key: 'key' }), (error) => {
      assert.ok(error instanceof RefusedError);
      assert.deepEqual([error.status, error.code], [422, 'idempotency.mismatch']);
      return true;
    });
  }
  await assertTurns(id, ['This']);
});

test('a key of one thread means nothing in another', async () => {
  const [one, other] = [await client.create(), await client.create()];
  await send(one, 'First', 'key');
  await send(other, 'Second', 'key');
  await assertTurns(one, ['First']);
  await assertTurns(other, ['Second']);
});

test('a send whose caller has left is finished, and repeated with its key', async () => {
  const id = await client.create();
  const response = await client.send(id, 'Left', { key: 'left' });
  await response.body.cancel();
  const events = await send(id, 'Left', 'left');
  assert.equal(events.at(-1).event.type, 'stored');
  await assertTurns(id, ['Left']);
});

const isMismatch = (error) => {
  assert.ok(error instanceof RefusedError);
  assert.deepEqual([error.status, error.code], [422, 'idempotency.mismatch']);
  return true;
};

test('a thread is created once with a key, also by concurrent requests, and without one each time', async () => {
  const from = [{ role: 'user', parts: [{ text: 'Hello' }] }];
  const ids = await Promise.all(
    Array.from({ length: 6 }, () => client.create({ from }, { key: 'new' })),
  );
  assert.equal(new Set(ids).size, 1);
  assert.match(ids[0], /^thread_[\w-]{22}$/);
  await send(ids[0], '', 'answer');
  assert.equal(await client.create({ from }, { key: 'new' }), ids[0]);
  assert.equal((await client.turns(ids[0])).length, 2);
  await assert.rejects(client.create({}, { key: 'new' }), isMismatch);
  await assert.rejects(client.create({}, { key: 'a b' }), { code: 'idempotency.invalid' });
  const others = [await client.create({ from }, { key: 'newer' }), await client.create({ from })];
  assert.equal(new Set([...others, ids[0]]).size, 3);
});

test('a key of another caller creates another thread', async () => {
  const other = new ThreadClient(client.origin, otherKey);
  const ids = [await client.create({}, { key: 'mine' }), await other.create({}, { key: 'mine' })];
  assert.notEqual(ids[0], ids[1]);
  await assert.rejects(other.state(ids[0]), { code: 'thread.unknown' });
});

test('a fork is made once with a key, even if the thread is rewound or deleted meanwhile', async () => {
  const id = await client.create();
  await send(id, 'Forked', 'forked');
  const [copy, same] = await Promise.all(
    [1, 2].map(() => client.fork(id, { turns: 2 }, { key: 'fork' })),
  );
  assert.equal(same, copy);
  assert.notEqual(await client.fork(id, { turns: 2 }), copy);
  const other = await client.create({}, { key: 'fork' });
  assert.notEqual(other, copy);
  await assert.rejects(client.fork(id, { turns: 0 }, { key: 'fork' }), isMismatch);
  await client.post(`/${id}/rewind`, { turns: 0 });
  assert.equal(await client.fork(id, { turns: 2 }, { key: 'fork' }), copy);
  await client.request(`/${id}`, { method: 'DELETE' });
  assert.equal(await client.fork(id, { turns: 2 }, { key: 'fork' }), copy);
  await assertTurns(copy, ['Forked']);
});

test('two watchers see the same events, and one that comes late gets all', async () => {
  const id = await client.create();
  await send(id, 'Before', 'before');
  const sending = client.send(id, 'Watched', { key: 'watched' });
  await sending;
  const [sent, ...watched] = await Promise.all([
    allOf(sending),
    ...Array.from({ length: 3 }, () => allOf(client.events(id, undefined, '?until=end'))),
  ]);
  assert.equal(sent.at(-1).event.type, 'stored');
  for (const events of watched) assert.deepEqual(events, sent);
  assert.deepEqual(await allOf(client.events(id, undefined, '?until=end')), sent);
  assert.deepEqual(await allOf(client.events(id, undefined, '?send=2&until=end')), sent);
  const all = await allOf(client.events(id, undefined, '?after=0.0.0&until=end'));
  assert.equal(typesOf(all).filter((type) => type === 'stored').length, 2);
  assert.deepEqual(all.slice(-sent.length), sent);
});

test('a watcher continues after any event, without a gap and without a repetition', async () => {
  const id = await client.create();
  const sent = await send(id, 'Continued');
  for (const [index, { id: after }] of sent.entries()) {
    const rest = await within(allOf(client.events(id, after, '?until=end')));
    assert.deepEqual(rest, sent.slice(index + 1));
  }
});

/** One thread with clients that send, repeat, leave and watch at random. */
class Turmoil {
  #random;
  #id;
  #events = new Map();
  #accepted = new Map();

  constructor(seed) {
    this.#random = new Random(`sends ${seed}`);
  }

  #below(count) {
    return this.#random.between(0, count - 1);
  }

  async run() {
    this.#id = await client.create();
    // Each message comes once or more often, most with a key. All arrive at moments of their own.
    const messages = Array.from({ length: 5 }, (_, index) => ({
      text: `m${index}`,
      key: this.#random.chance(0.7) ? `key-${index}` : undefined,
    }));
    const times = messages.flatMap((each) =>
      Array.from({ length: 1 + this.#below(3) }, () => each),
    );
    const watchers = Array.from({ length: 4 }, () => this.#watch());
    await Promise.all([...times.map((message) => this.#send(message)), ...watchers]);
    const expected = messages.flatMap(({ text, key }) => {
      const count = this.#accepted.get(text) ?? 0;
      assert.ok(count > 0, `${text} was never accepted`);
      return Array.from({ length: key === undefined ? count : 1 }, () => text);
    });
    await assertTurns(this.#id, expected, { inAnyOrder: true });
    await this.#checkEvents(expected.length);
  }

  async #send({ text, key }) {
    await sleep(this.#below(80));
    const response = await client.send(this.#id, text, { key });
    this.#accepted.set(text, (this.#accepted.get(text) ?? 0) + 1);
    const leavesAfter = this.#random.chance(0.3) ? this.#below(8) : Infinity;
    await this.#read(response, leavesAfter);
    // A send that nobody reads to its end ends as well.
    if (leavesAfter < Infinity) await this.#untilIdle();
  }

  async #watch() {
    await sleep(this.#below(120));
    const known = [...this.#events.keys()];
    const after =
      known.length > 0 && this.#random.chance(0.5) ? known[this.#below(known.length)] : '0.0.0';
    await this.#read(await client.events(this.#id, after, '?until=end'), Infinity);
  }

  async #read(response, count) {
    let left = count;
    for await (const { id, event } of eventsOf(response)) {
      const json = JSON.stringify(event);
      assert.equal(this.#events.get(id) ?? json, json, `event ${id}`);
      this.#events.set(id, json);
      if (left-- <= 0) return;
    }
  }

  async #untilIdle() {
    while ((await client.state(this.#id)).state !== 'idle') await sleep(10);
  }

  async #checkEvents(sends) {
    await this.#untilIdle();
    const all = await allOf(client.events(this.#id, '0.0.0', '?until=end'));
    for (const { id, event } of all)
      assert.equal(this.#events.get(id) ?? JSON.stringify(event), JSON.stringify(event), id);
    const ids = all.map(({ id }) => id);
    assert.ok(
      [...this.#events.keys()].every((id) => ids.includes(id)),
      'an event was seen that is not in the log',
    );
    // The events of each send are numbered without a gap, and no send was attempted twice.
    const expected = new Map();
    for (const id of ids) {
      const number = Number(id.split('.')[0]);
      const n = (expected.get(number) ?? 0) + 1;
      assert.equal(id, `${number}.1.${n}`);
      expected.set(number, n);
    }
    assert.deepEqual(
      [...expected.keys()],
      Array.from({ length: sends }, (_, i) => i + 1),
    );
  }
}

for (const seed of [1, 2, 3, 4, 5, 6]) {
  test(`sends, repetitions and watchers in any order (seed ${seed})`, async () => {
    await within(new Turmoil(seed).run());
  });
}
