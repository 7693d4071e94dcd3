// Cases of thread-events.test.mjs: EventLog with the SQLite storage of a Durable Object.
import {
  beforeAll,
  compareEventIds,
  eventIdText,
  parseEventId,
  startOfSend,
  EventLog,
} from '../../web/worker/threads/event-log.ts';
import { createTables } from '../../web/worker/threads/tables.ts';
import { deepEqual, equal, ok, throws } from '../js/portable/assert.mjs';
import { countingRows, failingAt } from './databases.mjs';

function open(storage) {
  createTables(storage);
  return new EventLog(storage);
}

const text = (length) => ({ type: 'text', text: 'x'.repeat(length) });

/** Returns all events after an id, as `id type`. */
function all(log, after = beforeAll) {
  const found = [];
  for (let from = after; ;) {
    const events = log.after(from);
    if (events.length === 0) return found;
    found.push(...events.map(({ id, json }) => `${eventIdText(id)} ${JSON.parse(json).type}`));
    from = events.at(-1).id;
  }
}

/** Runs a whole send of `size` characters. */
function send(log, number, size = 10) {
  log.begin(number, 1);
  log.push({ type: 'sent', send: number });
  log.push(text(size));
  return log.push({ type: 'stored', turns: 2 });
}

export default [
  {
    name: 'orders ids over sends and attempts, and reads only ids',
    run() {
      const texts = ['0.0.0', '1.0.0', '1.1.1', '1.1.9', '1.1.10', '1.2.1', '2.1.1', '10.1.1'];
      const ids = texts.map(parseEventId);
      deepEqual(ids.map(eventIdText), texts);
      for (let i = 1; i < ids.length; i++) {
        ok(compareEventIds(ids[i - 1], ids[i]) < 0 && compareEventIds(ids[i], ids[i - 1]) > 0);
        equal(compareEventIds(ids[i], { ...ids[i] }), 0);
      }
      for (const wrong of ['', '1', '1.1', '1.1.1.1', '-1.1.1', '1.1.1 ', '1.1.1\n', '1e3.1.1'])
        equal(parseEventId(wrong), undefined, wrong);
      equal(parseEventId('1.1.9999999999'), undefined);
    },
  },
  {
    name: 'reads events from any id on, whether stored or not',
    run(storage) {
      const log = open(storage);
      log.begin(1, 1);
      log.push({ type: 'sent', send: 1 });
      log.push(text(1));
      log.push({ type: 'request' });
      const whole = ['1.1.1 sent', '1.1.2 text', '1.1.3 request'];
      deepEqual(all(log), whole);
      log.flush();
      deepEqual(all(log), whole);
      deepEqual(all(new EventLog(storage)), whole);
      deepEqual(all(new EventLog(storage), parseEventId('1.1.1')), whole.slice(1));
      deepEqual(all(log, parseEventId('1.1.3')), []);
      deepEqual(all(log, parseEventId('7.1.1')), []);
    },
  },
  {
    name: 'stores what counts at once, with all before it',
    run(storage) {
      const log = open(storage);
      log.begin(1, 1);
      const types = [
        'sent',
        'turn',
        'toolCall',
        'toolResult',
        'waiting',
        'resumed',
        'failed',
        'stored',
      ];
      for (const type of types) {
        log.push(text(1));
        log.push({ type });
        deepEqual(all(new EventLog(storage)), all(log), type);
      }
    },
  },
  {
    name: 'stores the rest after a while, and when it is large',
    async run(storage) {
      const log = open(storage);
      log.begin(1, 1);
      log.push(text(10));
      deepEqual(all(new EventLog(storage)), []);
      while (all(new EventLog(storage)).length === 0) await scheduler.wait(50);
      log.push(text(20_000));
      equal(all(new EventLog(storage)).length, 1);
      log.push(text(20_000));
      equal(all(new EventLog(storage)).length, 3);
    },
  },
  {
    name: 'writes few rows',
    run(storage) {
      createTables(storage);
      const { database, rows } = countingRows(storage);
      const log = new EventLog(database);
      log.begin(1, 1);
      log.push({ type: 'sent' });
      log.push({ type: 'turn' });
      log.push({ type: 'request' });
      for (let i = 0; i < 500; i++) log.push(text(20));
      log.push({ type: 'turn' });
      log.push({ type: 'done' });
      log.push({ type: 'stored' });
      equal(rows(), 4);
      // Each row is deleted once, and one row says up to where.
      for (let number = 2; number <= 32; number++) send(log, number);
      const before = rows();
      log.begin(33, 1);
      equal(rows() - before, 4 + 1);
    },
  },
  {
    name: 'returns events larger than a row to the character',
    run(storage) {
      const log = open(storage);
      log.begin(1, 1);
      const long = 'é\u{1F600}\n\u2028"'.repeat(500_000);
      log.push(text(1));
      log.push({ type: 'turn', content: new TextEncoder().encode(long) });
      log.push({ type: 'text', text: long });
      for (const each of [log, new EventLog(storage)]) {
        const [one, turn] = each.after(beforeAll);
        equal(JSON.parse(one.json).text, 'x');
        ok(JSON.parse(turn.json).content === long);
        const [last] = each.after(turn.id);
        ok(JSON.parse(last.json).text === long);
        equal(eventIdText(last.id), '1.1.3');
      }
    },
  },
  {
    name: 'after a crash, ids are above all that anyone saw',
    run(storage) {
      const log = open(storage);
      log.begin(1, 1);
      log.push({ type: 'sent' });
      const seen = log.push(text(1));
      // The process ends here: nothing was flushed.
      const next = new EventLog(storage);
      equal(eventIdText(next.last), '1.1.1');
      equal(next.isEnded(1), false);
      next.begin(1, 2);
      const id = next.push({ type: 'resumed', attempt: 2 });
      ok(compareEventIds(id, seen) > 0);
      deepEqual(all(next, seen), ['1.2.1 resumed']);
      deepEqual(all(next), ['1.1.1 sent', '1.2.1 resumed']);
    },
  },
  {
    name: 'an attempt follows all events, and a send goes on after it waited',
    run(storage) {
      const log = open(storage);
      log.begin(2, 3);
      log.push({ type: 'sent' });
      log.push({ type: 'waiting', calls: [] });
      for (const [number, attempt] of [
        [1, 9],
        [2, 2],
      ])
        throws(() => log.begin(number, attempt), { name: 'RangeError' });
      equal(log.isEnded(2), true);
      equal(log.isEnded(1), true);
      equal(log.isEnded(3), false);
      const again = new EventLog(storage);
      equal(again.isEnded(2), true);
      again.begin(2, 3);
      equal(again.isEnded(2), false);
      equal(eventIdText(again.push({ type: 'stored', turns: 4 })), '2.3.3');
      equal(again.isEnded(2), true);
    },
  },
  {
    name: 'an event that could not be stored is not part of the log',
    run(storage) {
      createTables(storage);
      let left = 100;
      const sql = { exec: (...query) => failing(left--, storage, query) };
      const log = new EventLog({ sql, transactionSync: (work) => storage.transactionSync(work) });
      log.begin(1, 1);
      log.push({ type: 'sent' });
      log.push(text(1));
      left = 0;
      let notified = 0;
      log.listen(() => notified++);
      throws(() => log.push({ type: 'turn' }), { message: 'disk' });
      throws(() => log.push({ type: 'turn' }), { message: 'disk' });
      equal(notified, 0);
      left = 100;
      equal(eventIdText(log.push({ type: 'failed' })), '1.1.3');
      const expected = ['1.1.1 sent', '1.1.2 text', '1.1.3 failed'];
      deepEqual(all(log), expected);
      deepEqual(all(new EventLog(storage)), expected);
    },
  },
  {
    name: 'a batch in several pieces is stored whole or not at all',
    run(storage) {
      createTables(storage);
      const large = { type: 'text', text: 'x'.repeat(2_500_000) };
      // The reads of the constructor and of begin, then the pieces.
      const log = new EventLog(failingAt(storage, 5));
      log.begin(1, 1);
      throws(() => log.push(large), { message: 'disk' });
      deepEqual(all(new EventLog(storage)), []);
      deepEqual(all(log), []);
    },
  },
  {
    name: 'retains the last 32 sends, and says what has expired',
    run(storage) {
      const log = open(storage);
      const ends = Array.from({ length: 40 }, (_, i) => send(log, i + 1));
      for (const each of [log, new EventLog(storage)]) {
        // Whoever has read a send to its end misses nothing.
        equal(all(each, ends[7])[0], '9.1.1 sent');
        equal(all(each, ends[7]).length, 32 * 3);
        for (const id of [beforeAll, startOfSend(1), ends[6], parseEventId('8.1.2')])
          throws(() => each.after(id), { code: 'events.expired', status: 410, message: /8\.1\.3/ });
        each.checkAvailable(startOfSend(9));
      }
    },
  },
  {
    name: 'retains 8 MB, and always the last send',
    run(storage) {
      const log = open(storage);
      send(log, 1, 1_000_000);
      send(log, 2, 9_000_000);
      log.begin(3, 1);
      deepEqual(all(log, startOfSend(2)), ['2.1.1 sent', '2.1.2 text', '2.1.3 stored']);
      throws(() => log.after(startOfSend(1)), { code: 'events.expired' });
      log.push({ type: 'sent' });
      log.push({ type: 'stored' });
      for (const number of [4, 5, 6, 7]) send(log, number, 3_000_000);
      log.begin(8, 1);
      equal(all(log, startOfSend(6)).length, 6);
      throws(() => log.after(startOfSend(5)), { code: 'events.expired' });
    },
  },
];

function failing(left, storage, query) {
  if (left <= 0) throw new Error('disk');
  return storage.sql.exec(...query);
}
