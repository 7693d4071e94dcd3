// Cases of metric-sums.test.mjs: MetricsObject with the SQLite storage of a Durable Object, and what isolates report.
import { Counts } from '../../web/gateway/counts.ts';
import { MetricsObject } from '../../web/worker/metrics-object.ts';
import { Reporter, reportEveryMs } from '../../web/worker/reporter.ts';
import { deepEqual, equal, match, ok, rejects } from '../js/portable/assert.mjs';

const requests = 'prompt_strata_requests_total';
const findings = 'prompt_strata_findings_total';
const route = (name) => `{route="${name}",status="200"}`;

const report = (object, body) =>
  object.fetch(
    new Request('https://metrics/report', { method: 'POST', body: JSON.stringify(body) }),
  );

const textOf = async (object) => (await object.fetch(new Request('https://metrics/'))).text();

/** Returns the values of the rows of a name by their labels. */
async function valuesOf(object, name) {
  const lines = (await textOf(object)).split('\n').filter((line) => line.startsWith(`${name}{`));
  return Object.fromEntries(lines.map((line) => line.slice(name.length).split(' ')));
}

/** A reporter whose object is `object`, on a clock that stands still unless it sleeps. */
function isolate(object, answer = (request) => object.fetch(request)) {
  const counts = new Counts();
  const state = { time: 1_000_000, slept: [], sent: 0 };
  const clock = {
    now: () => state.time,
    async sleep(ms) {
      state.slept.push(ms);
      state.time += ms;
    },
  };
  const reporter = new Reporter(counts, clock);
  const namespace = {
    idFromName: (name) => name,
    get: () => ({
      fetch(request) {
        state.sent++;
        return answer(request, state);
      },
    }),
  };
  const work = [];
  const scope = { namespace, waitUntil: (promise) => work.push(promise) };
  const count = (name = 'a') => {
    counts.add(requests, 1, { route: name, status: 200 });
    reporter.soon(scope);
  };
  const settled = async () => {
    while (work.length > 0) await work.shift();
  };
  return { ...{ count, counts, reporter, namespace, settled, state, work } };
}

export default [
  {
    name: 'sums the increases of isolates',
    async run(storage) {
      const object = new MetricsObject({ storage });
      const rows = [
        [requests, route('a'), 2],
        [requests, route('b'), 1],
      ];
      equal((await report(object, { isolate: 'one', number: 1, rows })).status, 204);
      await report(object, { isolate: 'two', number: 1, rows });
      await report(object, { isolate: 'one', number: 2, rows: rows.slice(0, 1) });
      deepEqual(await valuesOf(object, requests), { [route('a')]: '6', [route('b')]: '2' });
      // Another instance of the object reads the same sums.
      const later = new MetricsObject({ storage });
      deepEqual(await valuesOf(later, requests), { [route('a')]: '6', [route('b')]: '2' });
      match(await textOf(later), /^prompt_strata_counting_since_seconds \d{10}/m);
    },
  },
  {
    name: 'counts a report once, however often and however late it comes',
    async run(storage) {
      const object = new MetricsObject({ storage });
      const first = { isolate: 'one', number: 1, rows: [[requests, route('a'), 1]] };
      const second = { isolate: 'one', number: 2, rows: [[requests, route('a'), 10]] };
      for (const each of [first, first, second, first, second]) await report(object, each);
      deepEqual(await valuesOf(object, requests), { [route('a')]: '11' });
    },
  },
  {
    name: 'adds up histograms and fractions',
    async run(storage) {
      const object = new MetricsObject({ storage });
      const name = 'prompt_strata_upstream_seconds';
      const rows = [
        [`${name}_bucket`, '{le="0.5"}', 1],
        [`${name}_bucket`, '{le="1"}', 2],
        [`${name}_sum`, '', 0.75],
        [`${name}_count`, '', 2],
      ];
      for (const number of [1, 2]) await report(object, { isolate: 'one', number, rows });
      const text = await textOf(object);
      match(text, /_seconds_bucket\{le="0.25"\} 0\n.*_seconds_bucket\{le="0.5"\} 2\n/);
      match(text, /_seconds_bucket\{le="2.5"\} 0\n/);
      match(text, /_seconds_sum 1.5\n.*_seconds_count 4\n/);
    },
  },
  {
    name: 'takes only counts that it knows, and only increases',
    async run(storage) {
      const object = new MetricsObject({ storage });
      const rows = [
        ['another_total', '', 1],
        [requests, route('a'), -5],
        [requests, route('a'), null],
        [requests, route('a'), 'x'],
        [requests, route('a'), 3],
      ];
      await report(object, { isolate: 'one', number: 1, rows });
      deepEqual(await valuesOf(object, requests), { [route('a')]: '3' });
      equal((await textOf(object)).includes('another'), false);
    },
  },
  {
    name: 'its table does not grow without end',
    async run(storage) {
      const object = new MetricsObject({ storage });
      const rows = Array.from({ length: 3000 }, (_, i) => [findings, `{code="c.${i}"}`, 1]);
      await report(object, { isolate: 'one', number: 1, rows });
      const known = [findings, '{code="c.7"}', 1];
      await report(object, { isolate: 'one', number: 2, rows: [known, [requests, route('a'), 1]] });
      const values = await valuesOf(object, findings);
      equal(Object.keys(values).length, 1000);
      equal(values['{code="c.7"}'], '2');
      deepEqual(await valuesOf(object, requests), { [route('a')]: '1' });
    },
  },
  {
    name: 'remembers the newest isolates only',
    async run(storage) {
      const object = new MetricsObject({ storage });
      const old = Date.now() - 3 * 60 * 60_000;
      storage.sql.exec("INSERT INTO reports VALUES ('old', 1, ?)", old);
      const many = 'SELECT value FROM many';
      storage.sql.exec(
        `WITH RECURSIVE many(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM many WHERE value < 12000)
         INSERT INTO reports SELECT 'i' || value, 1, ? + value FROM (${many})`,
        Date.now() - 60_000,
      );
      await report(object, { isolate: 'new', number: 1, rows: [] });
      const isolates = storage.sql.exec('SELECT isolate FROM reports').toArray();
      equal(isolates.length, 10_000);
      const names = new Set(isolates.map((row) => row.isolate));
      ok(names.has('new') && names.has('i12000') && !names.has('i1') && !names.has('old'));
    },
  },
  {
    name: 'an isolate reports at once, then every 5 seconds, and all that it counted',
    async run(storage) {
      const object = new MetricsObject({ storage });
      const { count, settled, state } = isolate(object);
      count();
      await settled();
      deepEqual([state.sent, state.slept], [1, []]);
      for (let i = 0; i < 100; i++) count();
      await settled();
      deepEqual([state.sent, state.slept], [2, [reportEveryMs]]);
      deepEqual(await valuesOf(object, requests), { [route('a')]: '101' });
    },
  },
  {
    name: 'what is counted while a report is on its way follows by itself',
    async run(storage) {
      const object = new MetricsObject({ storage });
      let own;
      const answer = async (request, state) => {
        if (state.sent === 1) own.count('late');
        return object.fetch(request);
      };
      own = isolate(object, answer);
      own.count();
      await own.settled();
      deepEqual(await valuesOf(object, requests), { [route('a')]: '1', [route('late')]: '1' });
      deepEqual(own.state.slept, [reportEveryMs]);
    },
  },
  {
    name: 'a report whose acknowledgement was lost is sent again and counts once',
    async run(storage) {
      const object = new MetricsObject({ storage });
      const answer = async (request, state) => {
        const response = await object.fetch(request);
        if (state.sent === 1) throw new Error('the connection was lost');
        return response;
      };
      const { count, settled, state } = isolate(object, answer);
      count();
      await settled();
      deepEqual(await valuesOf(object, requests), { [route('a')]: '1' });
      count('b');
      await settled();
      equal(state.sent, 3);
      deepEqual(await valuesOf(object, requests), { [route('a')]: '1', [route('b')]: '1' });
    },
  },
  {
    name: 'a request that ends before its report does not stop the others',
    async run(storage) {
      const object = new MetricsObject({ storage });
      const answer = (request, state) =>
        state.sent === 1 ? new Promise(() => {}) : object.fetch(request);
      const { count, settled, state, work } = isolate(object, answer);
      count();
      work.length = 0;
      count();
      equal(work.length, 0);
      state.time += 60_000;
      count();
      await settled();
      deepEqual(await valuesOf(object, requests), { [route('a')]: '3' });
    },
  },
  {
    name: 'an object that answers with an error loses nothing',
    async run(storage) {
      const object = new MetricsObject({ storage });
      const answer = (request, state) =>
        state.sent === 1 ? new Response('', { status: 500 }) : object.fetch(request);
      const { counts, namespace, reporter } = isolate(object, answer);
      counts.add(requests, 1, { route: 'a', status: 200 });
      await rejects(reporter.report(namespace), { message: 'The object answered 500' });
      counts.add(requests, 1, { route: 'a', status: 200 });
      await reporter.report(namespace);
      deepEqual(await valuesOf(object, requests), { [route('a')]: '1' });
      await reporter.report(namespace);
      deepEqual(await valuesOf(object, requests), { [route('a')]: '2' });
      await reporter.report(namespace);
    },
  },
  {
    name: 'without the object, counts stay in the isolate',
    async run() {
      const counts = new Counts();
      counts.add(requests, 1, { route: 'a', status: 200 });
      new Reporter(counts).soon({ namespace: undefined, waitUntil: () => ok(false) });
      deepEqual(counts.rows, [[requests, route('a'), 1]]);
    },
  },
];
