// Tests durableObjectMemory with Durable Objects in workerd, with the SQLite backend and with the older key-value
// backend and its limits.
import { testIn } from '../js/report.mjs';
import { answerOf, bundleInConsumer } from './bundle.mjs';

const source = `
import * as gateway from 'prompt-strata/gateway';
import { runCases } from '../run-cases.mjs';
import { deepEqual, equal, ok, rejects } from '../portable/assert.mjs';
import { checkLimits, checkMemory } from '../portable/signature-memory.mjs';

const { durableObjectMemory, SignatureMemoryObject } = gateway;

// Objects run in the isolate of this module. Real time, so that no alarm is due at once.
let time = Date.now();
const clock = { now: () => time, advance: (ms) => (time += ms) };
const limits = { maxEntries: 20, maxBytes: 80_000 };

class Observed extends SignatureMemoryObject {
  #storage;
  constructor(state, env, options) {
    super(state, env, { now: clock.now, ...options });
    this.#storage = state.storage;
  }
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === '/run-alarm') return new Response(String(await this.alarm()));
    if (pathname === '/alarm-time') return Response.json(await this.#storage.getAlarm());
    if (pathname !== '/stored') return super.fetch(request);
    return Response.json([...(await this.#storage.list()).keys()]);
  }
}
export class Large extends Observed {}
export class Small extends Observed {
  constructor(state, env) {
    super(state, env, limits);
  }
}

const bytes = (...values) => Uint8Array.from(values);
const at = (namespace, shard) => namespace.get(namespace.idFromName(shard));
const ask = async (namespace, shard, path) =>
  (await at(namespace, shard).fetch('https://object' + path)).text();
const storedIn = async (namespace, shard) => JSON.parse(await ask(namespace, shard, '/stored'));

const casesOf = ({ LARGE, SMALL }) => [
  {
    name: 'keeps the contract',
    run: () => checkMemory(async () => durableObjectMemory(LARGE), clock),
  },
  { name: 'is bounded', run: () => checkLimits(durableObjectMemory(SMALL), clock, limits) },
  {
    name: 'has an object for each caller',
    async run() {
      const memory = durableObjectMemory(LARGE);
      const expiresAt = clock.now() + 1000;
      await memory.put(['one/x', 'two/y'].map((key) => ({ key, value: bytes(1), expiresAt })));
      const keysIn = async (shard) =>
        (await storedIn(LARGE, shard)).filter((key) => key.startsWith('entry/'));
      deepEqual(await keysIn('one/'), ['entry/one/x']);
      deepEqual(await keysIn('two/'), ['entry/two/y']);
    },
  },
  {
    name: 'removes what has ended by an alarm, long values too',
    async run() {
      const memory = durableObjectMemory(LARGE);
      const long = new Uint8Array(300_000);
      const soon = Array.from({ length: 150 }, (_, i) => ({
        ...{ key: 'alarm/' + i, value: bytes(1), expiresAt: clock.now() + 10 },
      }));
      await memory.put([...soon, { key: 'alarm/long', value: long, expiresAt: clock.now() + 20 }]);
      await memory.put([{ key: 'alarm/late', value: bytes(2), expiresAt: clock.now() + 3_600_000 }]);
      equal(Number(await ask(LARGE, 'alarm/', '/alarm-time')), clock.now() + 10 + 60_000);
      clock.advance(60_000);
      await ask(LARGE, 'alarm/', '/run-alarm');
      const left = (await storedIn(LARGE, 'alarm/')).map((key) => key.replace(/\\d{16}/, 'TIME'));
      deepEqual(left, ['end/TIME/alarm/late', 'entry/alarm/late', 'totals']);
      equal((await memory.get(['alarm/late'])).size, 1);
    },
  },
  {
    name: 'survives many entries at once',
    async run() {
      const memory = durableObjectMemory(LARGE);
      const keys = Array.from({ length: 1000 }, (_, i) => 'many/' + i);
      const expiresAt = clock.now() + 1000;
      await memory.put(keys.map((key, i) => ({ key, value: bytes(i % 256), expiresAt })));
      const found = await memory.get([...keys, ...keys.map((key) => key + '-')]);
      equal(found.size, 1000);
      deepEqual([...found.get('many/999')], [999 % 256]);
    },
  },
  {
    name: 'rejects when an object fails',
    async run() {
      const failing = { fetch: async () => new Response('no', { status: 500 }) };
      const memory = durableObjectMemory({ idFromName: (name) => name, get: () => failing });
      await rejects(memory.get(['a/x']), (error) => ok(error.message.includes('HTTP 500')));
    },
  },
];

export default {
  fetch: async (request, env) =>
    Response.json(await runCases(gateway, { 'signature-memory.test.mjs': casesOf(env) })),
};
`;

for (const useSQLite of [true, false]) {
  testIn(useSQLite ? 'Durable Objects' : 'Durable Objects with key-value storage', async () => {
    const options = await bundleInConsumer(`signatures-${useSQLite}`, source);
    const durableObjects = {
      LARGE: { className: 'Large', useSQLite },
      SMALL: { className: 'Small', useSQLite },
    };
    return answerOf({ ...options, durableObjects });
  });
}
