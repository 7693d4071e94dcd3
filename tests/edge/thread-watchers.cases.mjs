// Cases of thread-watchers.test.mjs: Watchers of an EventLog in a Durable Object.
import {
  compareEventIds,
  eventIdText,
  parseEventId,
  startOfSend,
  EventLog,
} from '../../web/worker/threads/event-log.ts';
import { createTables } from '../../web/worker/threads/tables.ts';
import { Watchers } from '../../web/worker/threads/watchers.ts';
import { Random } from '../fuzz/random.mjs';
import { deepEqual, equal, match, ok, rejects, throws } from '../js/portable/assert.mjs';

const ndjson = 'application/x-ndjson';

function open(storage, options) {
  createTables(storage);
  const log = new EventLog(storage);
  return { log, watchers: new Watchers(log, options) };
}

const text = (length) => ({ type: 'text', text: 'x'.repeat(length) });

/** A reader of NDJSON: `ids` has what it has read, `read` reads one chunk and returns whether there was one. */
class Reader {
  ids = [];
  types = [];
  #rest = '';
  #decoder = new TextDecoder();

  constructor(response) {
    this.reader = response.body.getReader();
  }

  async read() {
    const { value, done } = await this.reader.read();
    if (done) return false;
    const lines = (this.#rest + this.#decoder.decode(value, { stream: true })).split('\n');
    this.#rest = lines.pop();
    for (const line of lines.filter(Boolean)) {
      const { eventId, type } = JSON.parse(line);
      this.ids.push(eventId);
      this.types.push(type);
    }
    return true;
  }

  async readTo(id) {
    while (this.ids.at(-1) !== id) ok(await this.read(), `the stream ended before ${id}`);
    return this.ids;
  }

  async readAll() {
    while (await this.read());
    return this.ids;
  }
}

const read = (watchers, options) => new Reader(watchers.open({ accept: ndjson, ...options }));

/**
 * Runs sends, pauses and crashes in a random order, with readers that come, read, leave and come back at random, and
 * checks that each reader got each event once and in order. Only events that a crash lost may be missing.
 */
async function checkRandomReaders(storage, seed) {
  const random = new Random(String(seed));
  storage.sql.exec('DELETE FROM events; DELETE FROM thread;');
  let { log, watchers } = open(storage);
  let ids = [];
  let readers = [];
  let place = { send: 0, attempt: 1 };
  const isAfter = (id, after) => compareEventIds(parseEventId(id), after) > 0;
  const push = (event) => ids.push(eventIdText(log.push(event)));
  const begin = () => {
    place = { send: place.send + 1, attempt: 1 };
    log.begin(place.send, place.attempt);
    push({ type: 'sent' });
  };
  const watch = (after, seen = []) => ({ after, seen, reader: read(watchers, { after }) });
  const received = ({ seen, reader }) => [...seen, ...reader.ids];
  const expected = ({ seen, after }) => [...seen, ...ids.filter((id) => isAfter(id, after))];
  const check = (each) => {
    const got = received(each);
    deepEqual(got, expected(each).slice(0, got.length), `seed ${seed}`);
    return got;
  };
  const crash = () => {
    const got = readers.map(check);
    log = new EventLog(storage);
    watchers = new Watchers(log);
    ids = ids.filter((id) => !isAfter(id, log.last));
    place = { ...place, attempt: place.attempt + 1 };
    log.begin(place.send, place.attempt);
    push({ type: 'resumed' });
    readers = readers.map(({ after }, i) =>
      watch(parseEventId(got[i].at(-1) ?? '') ?? after, got[i]),
    );
  };
  const steps = [
    [45, () => push(text(random.between(0, 3000)))],
    [15, () => push({ type: random.pick(['turn', 'toolCall', 'request']) })],
    [4, () => push({ type: 'stored' })],
    [1, () => push(text(70_000))],
    [2, crash],
    [2, () => log.flush()],
    [6, () => readers.push(watch(parseEventId(random.pick(['0.0.0', ...ids]))))],
    [4, () => readers.splice(random.between(0, readers.length - 1), 1)[0]?.reader.reader.cancel()],
    [21, () => readOne(random.pick(readers))],
  ];
  const readOne = (each) => {
    if (each && received(each).length < expected(each).length) return each.reader.read();
  };
  for (let step = 0; step < 150; step++) {
    if (log.isEnded(place.send) || place.send === 0) begin();
    await random.weighted(steps)();
  }
  readers.push(watch(parseEventId('0.0.0')));
  for (const each of readers) {
    while (received(each).length < expected(each).length) await each.reader.read();
    deepEqual(check(each), expected(each));
    await each.reader.reader.cancel();
  }
  equal(watchers.size, 0);
}

export default [
  {
    name: 'writes server-sent events and lines of JSON',
    async run(storage) {
      const { log, watchers } = open(storage);
      log.begin(1, 1);
      log.push({ type: 'sent', send: 1 });
      log.push({ type: 'stored', turns: 2 });
      const sse = watchers.open({ until: 1 });
      equal(sse.headers.get('content-type'), 'text/event-stream; charset=utf-8');
      equal(sse.headers.get('cache-control'), 'no-store');
      const first = 'id: 1.1.1\ndata: {"type":"sent","send":1}\n\n';
      equal(await sse.text(), `${first}id: 1.1.2\ndata: {"type":"stored","turns":2}\n\n`);
      const lines = watchers.open({ until: 1, accept: ndjson });
      equal(lines.headers.get('content-type'), 'application/x-ndjson; charset=utf-8');
      const [line] = (await lines.text()).split('\n');
      equal(line, '{"eventId":"1.1.1","type":"sent","send":1}');
    },
  },
  {
    name: 'replays, then goes on live, without a gap and without a repetition',
    async run(storage) {
      createTables(storage);
      for (let seed = 1; seed <= 60; seed++) await checkRandomReaders(storage, seed);
    },
  },
  {
    name: 'an event is received before the next one is pushed',
    async run(storage) {
      const { log, watchers } = open(storage);
      log.begin(1, 1);
      const readers = [read(watchers), read(watchers)];
      for (const type of ['sent', 'text', 'turn', 'text', 'stored']) {
        const id = eventIdText(log.push({ type }));
        for (const reader of readers) await reader.readTo(id);
      }
      deepEqual(readers[0].types, readers[1].types);
      equal(readers[0].types.length, 5);
      for (const { reader } of readers) await reader.cancel();
    },
  },
  {
    name: 'begins with the last send unless told otherwise',
    async run(storage) {
      const { log, watchers } = open(storage);
      for (const number of [1, 2, 3]) {
        log.begin(number, 1);
        log.push({ type: 'sent' });
        log.push({ type: 'stored' });
      }
      deepEqual(await read(watchers, { until: 3 }).readAll(), ['3.1.1', '3.1.2']);
      const after = startOfSend(2);
      deepEqual(await read(watchers, { after, until: 2 }).readAll(), ['2.1.1', '2.1.2']);
      deepEqual(await read(watchers, { after: log.last, until: 3 }).readAll(), []);
    },
  },
  {
    name: 'ends with a send that waits, unless results have come since',
    async run(storage) {
      const { log, watchers } = open(storage);
      log.begin(1, 1);
      log.push({ type: 'sent' });
      const during = read(watchers, { until: 1 });
      log.push({ type: 'waiting', calls: [] });
      deepEqual(await during.readAll(), ['1.1.1', '1.1.2']);
      const paused = log.last;
      deepEqual(await read(watchers, { until: 1 }).readAll(), ['1.1.1', '1.1.2']);
      log.begin(1, 1);
      const results = read(watchers, { after: paused, until: 1 });
      const repeated = read(watchers, { until: 1 });
      log.push({ type: 'toolResult' });
      log.push({ type: 'stored' });
      deepEqual(await results.readAll(), ['1.1.3', '1.1.4']);
      deepEqual(await repeated.readAll(), ['1.1.1', '1.1.2', '1.1.3', '1.1.4']);
      equal(watchers.size, 0);
    },
  },
  {
    name: 'waits for a send that has not begun, and stops before the next',
    async run(storage) {
      const { log, watchers } = open(storage);
      log.begin(1, 1);
      log.push({ type: 'sent' });
      const queued = read(watchers, { after: startOfSend(2), until: 2 });
      log.push({ type: 'stored' });
      for (const number of [2, 3]) {
        log.begin(number, 1);
        log.push({ type: 'sent' });
        log.push({ type: 'stored' });
      }
      deepEqual(await queued.readAll(), ['2.1.1', '2.1.2']);
    },
  },
  {
    name: 'a reader that never reads is cut off and holds up nobody',
    async run(storage) {
      const { log, watchers } = open(storage);
      log.begin(1, 1);
      const never = read(watchers);
      const other = read(watchers);
      for (let i = 0; i < 8; i++) {
        const id = eventIdText(log.push(text(1024 * 1024 - 50)));
        await other.readTo(id);
      }
      equal(watchers.size, 2);
      for (let i = 0; i < 2; i++) await other.readTo(eventIdText(log.push(text(1024 * 1024))));
      equal(watchers.size, 1);
      await rejects(never.readAll(), { message: /8388608 bytes behind/ });
      const again = read(watchers);
      deepEqual(await again.readTo('1.1.10'), other.ids);
      for (const { reader } of [again, other]) await reader.cancel();
      equal(watchers.size, 0);
    },
  },
  {
    name: 'a late reader of a long history is not cut off while it reads',
    async run(storage) {
      const { log, watchers } = open(storage);
      log.begin(1, 1);
      for (let i = 0; i < 20; i++) log.push(text(1024 * 1024));
      const late = read(watchers, { until: 1 });
      for (let i = 0; i < 20; i++) {
        await late.read();
        log.push(text(1024 * 1024));
      }
      log.push({ type: 'stored' });
      equal((await late.readAll()).length, 41);
    },
  },
  {
    name: 'delivers an event of any size',
    async run(storage) {
      const { log, watchers } = open(storage);
      log.begin(1, 1);
      const reader = read(watchers, { until: 1 });
      log.push(text(20 * 1024 * 1024));
      log.push({ type: 'stored' });
      deepEqual(await reader.readAll(), ['1.1.1', '1.1.2']);
    },
  },
  {
    name: 'sends signs of life, and cuts off a reader that takes none',
    async run(storage) {
      const { log, watchers } = open(storage, { pingMs: 5 });
      log.begin(1, 1);
      const quiet = watchers.open().body.getReader();
      const never = read(watchers);
      const chunk = async () => new TextDecoder().decode((await quiet.read()).value);
      equal(await chunk(), 'id: 1.0.0\n\n');
      equal(await chunk(), ': ping\n\n');
      // The other one goes when 20 pings have found the first one unread.
      while (watchers.size > 1) await quiet.read();
      await rejects(never.readAll(), { message: /takes nothing/ });
      log.push({ type: 'sent' });
      let received = '';
      while (!received.includes('1.1.1'))
        received += new TextDecoder().decode((await quiet.read()).value);
      match(received, /^(: ping\n\n)*id: 1\.1\.1\ndata: \{"type":"sent"\}\n\n$/);
      await quiet.cancel();
      equal(watchers.size, 0);
    },
  },
  {
    name: 'a reader that leaves is forgotten, also while it waits',
    async run(storage) {
      const { log, watchers } = open(storage);
      log.begin(1, 1);
      const waits = read(watchers);
      const pending = waits.read();
      const leaves = read(watchers);
      log.push({ type: 'sent' });
      await leaves.read();
      await leaves.reader.cancel();
      await pending;
      await waits.reader.cancel();
      equal(watchers.size, 0);
      log.push({ type: 'stored' });
    },
  },
  {
    name: 'ends all streams with the last event when the thread is deleted',
    async run(storage) {
      const { log, watchers } = open(storage);
      log.begin(1, 1);
      log.push({ type: 'sent' });
      const readers = [read(watchers, { until: 1 }), read(watchers), read(watchers, { until: 9 })];
      await readers[1].read();
      watchers.end({ type: 'failed', error: { code: 'thread.deleted' } });
      equal(watchers.size, 0);
      storage.sql.exec('DROP TABLE events');
      for (const reader of readers) equal((await reader.readAll()).at(-1), '1.1.2');
      for (const reader of readers) equal(reader.types.at(-1), 'failed');
    },
  },
  {
    name: 'refuses to begin, or to go on, where events have expired',
    async run(storage) {
      const { log, watchers } = open(storage);
      log.begin(1, 1);
      for (let i = 0; i < 9; i++) log.push(text(1024 * 1024));
      log.push({ type: 'stored' });
      const slow = read(watchers);
      await slow.read();
      for (const number of [2, 3]) {
        log.begin(number, 1);
        log.push({ type: 'sent' });
        log.push({ type: 'stored' });
      }
      throws(() => watchers.open({ after: startOfSend(1) }), { code: 'events.expired' });
      await rejects(slow.readAll(), { code: 'events.expired' });
      equal(watchers.size, 0);
    },
  },
];
