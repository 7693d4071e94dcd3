// Caching in a Conversation with the emulator: caches are created, used, extended, replaced, and lost. In every
// case the requests are valid and contain the whole conversation.
import { deepEqual, equal, match, ok } from './assert.mjs';

const model = 'gemini-3.8-flash';
const text = (utf8) => new TextDecoder().decode(utf8);
const rules = `Answer in one sentence. ${'Be kind, be brief and name your sources. '.repeat(600)}`;
const start = Date.parse('2026-11-21T10:00:00Z');

/** Returns a clock that the test advances. */
const clock = () => {
  const time = { ms: start, now: () => new Date(time.ms).toISOString() };
  return time;
};

/** Returns a conversation with caching against an emulator, and the calls that it makes. */
async function talk(
  strata,
  { emulator = {}, load = {}, caching = {}, changed = (response) => response, ...options } = {},
) {
  const time = clock();
  const server = { ...clock(), ms: start };
  const serverNow = () => new Date(time.ms + (server.ahead ?? 0)).toISOString();
  const answer = strata.createEmulator({ now: serverNow, ...emulator });
  const calls = [];
  const fetch = async (url, init) => {
    const body = init.body ? text(init.body) : '';
    calls.push({ method: init.method, path: new URL(url).pathname, body });
    return changed(await answer(url, init), init);
  };
  const core = await strata.load(load);
  const checker = await strata.check.loadChecker();
  const client = new strata.GeminiClient({ fetch, retry: { attempts: 3, initialMs: 1 } });
  // For conversations that live in memory, and those that share a registry.
  const kept = caching && { registry: new strata.MemoryCacheRegistry(), ...Object(caching) };
  const settings = { model, now: time.now, static: { text: rules }, caching: kept, ...options };
  const chat = new strata.Conversation(core, client, settings);
  return { core, checker, client, chat, calls, time, server, settings };
}

const sent = (calls) =>
  calls.filter(({ path }) => path.includes(':stream')).map(({ body }) => body);
const createCalls = (calls) =>
  calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/cachedContents'));

async function collect(events) {
  const all = [];
  for await (const event of events) all.push(event);
  return all;
}

async function sendQuestions(talking, count, seconds = 20) {
  const events = [];
  for (let i = 0; i < count; i++) {
    talking.time.ms += seconds * 1000;
    const question = `Question ${i}: ${'what do you think of this? '.repeat(30)}`;
    events.push(...(await collect(talking.chat.send(question))));
  }
  return events;
}

const manifests = (events) =>
  events.filter(({ type }) => type === 'request').map(({ manifest }) => manifest);
const decisions = (events) => manifests(events).map(({ cache }) => cache.decision);
const actions = (events) => events.filter(({ type }) => type === 'cache').map((e) => e.action);

function accepted(checker, bodies) {
  for (const body of bodies) {
    const { diagnostics } = checker.lint(body, { model });
    deepEqual(
      diagnostics.filter(({ severity }) => severity === 'error'),
      [],
      body.slice(0, 200),
    );
  }
}

/** Checks that every question is in the contents of the request or in its cache. */
function containsAll(body, cached, count) {
  for (let i = 0; i < count; i++) {
    ok(body.includes(`Question ${i}:`) || cached.includes(`Question ${i}:`), `question ${i}`);
  }
}

const lifecycle = [
  {
    name: 'creates a cache with the first request that is large enough, and uses it from then on',
    async run(strata) {
      const talking = await talk(strata);
      const events = await sendQuestions(talking, 3);
      const [first, second] = manifests(events);
      equal(first.cache.decision, 'create');
      equal(second.cache.decision, 'hit');
      match(first.cache.reason, /\d+ tokens .* USD/);
      equal(second.cache.plan.cachedTokens > 4096, true);
      equal(createCalls(talking.calls).length, 1);
      ok(createCalls(talking.calls)[0].body.startsWith('{"ttl":"300s","model":'));
      const bodies = sent(talking.calls);
      ok(bodies.every((body) => body.includes('"cachedContent":"cachedContents/')));
      ok(!bodies.some((body) => body.includes('name your sources')), 'the cached text was sent');
      accepted(talking.checker, bodies);
      const { usage } = events.findLast(({ type }) => type === 'done');
      ok(usage.cachedContentTokenCount > 4096, JSON.stringify(usage));
    },
  },
  ...['text', 'contents'].map((cachedHistory) => ({
    name: `rolls a growing history into a new cache as ${cachedHistory} and deletes the old cache`,
    async run(strata) {
      const talking = await talk(strata, { cachedHistory });
      const events = await sendQuestions(talking, 30);
      const rolled = decisions(events).filter((decision) => decision === 'roll').length;
      ok(rolled >= 2 && rolled <= 10, decisions(events).join());
      const deleted = talking.calls.filter(({ method }) => method === 'DELETE').length;
      // The first cache contains no turns and is not deleted: other conversations may use it.
      equal(deleted, rolled - 1);
      deepEqual(
        actions(events).filter((action) => action === 'refused'),
        [],
      );
      containsAll(sent(talking.calls).at(-1), createCalls(talking.calls).at(-1).body, 30);
      accepted(talking.checker, sent(talking.calls));
    },
  })),
  {
    name: 'keeps the cache of a long tool loop whose tokens the API counts lower than the estimate',
    async run(strata) {
      const body = async (response, { method }) => {
        const value = await response
          .clone()
          .json()
          .catch(() => ({}));
        const { usageMetadata, name = '' } = value;
        if (method !== 'POST' || !name.startsWith('cachedContents/')) return response;
        usageMetadata.totalTokenCount = Math.floor(0.8 * usageMetadata.totalTokenCount);
        return new Response(JSON.stringify(value));
      };
      const respond = ({ index, body: { contents } }) =>
        JSON.stringify(contents).includes('Loop') && index % 20 !== 0
          ? { parts: [{ functionCall: { name: 'f', args: {} }, thoughtSignature: 'c2lnbmVk' }] }
          : undefined;
      const tools = [{ name: 'f', run: () => 'A result. '.repeat(20) }];
      const more = { changed: body, emulator: { respond }, tools, maxToolRounds: 40 };
      const talking = await talk(strata, more);
      let before = [];
      while (!decisions(before).includes('roll')) before = await sendQuestions(talking, 1);
      const { chat, calls, time } = talking;
      const known = calls.length;
      const events = [];
      for await (const event of chat.send('Loop')) {
        if (event.type === 'request') time.ms += 10_000;
        events.push(event);
      }
      ok(decisions(events).length >= 10, decisions(events).join());
      deepEqual(
        events.filter(({ type }) => type === 'cacheLost'),
        [],
      );
      const deleted = calls.slice(known).filter(({ method }) => method === 'DELETE').length;
      ok(deleted <= createCalls(calls.slice(known)).length, `${deleted} caches were deleted`);
      ok(sent(calls.slice(known)).every((each) => each.includes('"cachedContent"')));
    },
  },
  {
    name: 'reports the numbers of each cache decision in the manifest',
    async run(strata) {
      const talking = await talk(strata);
      const events = [
        ...(await sendQuestions(talking, 20)),
        ...(await sendQuestions(talking, 4, 100)),
      ];
      const reported = manifests(events).map(({ cache }) => cache);
      const seen = new Set(reported.map(({ decision }) => decision));
      deepEqual([...seen].sort(), ['create', 'extend', 'hit', 'roll']);
      for (const { reason, plan } of reported) {
        match(reason, /\d+ tokens/);
        for (const [name, value] of Object.entries(plan)) {
          ok(name === 'decision' || Number.isFinite(value), `${name}: ${value}`);
        }
        ok(plan.cacheableTokens > plan.minimumTokens && plan.ttlSeconds >= 60, reason);
      }
    },
  },
  {
    name: 'extends a cache while requests arrive, and creates none when they are rare',
    async run(strata) {
      const talking = await talk(strata);
      await sendQuestions(talking, 1);
      const events = await sendQuestions(talking, 8, 100);
      ok(actions(events).includes('extended'), actions(events).join());
      ok(!decisions(events).includes('create'), decisions(events).join());
      const idle = await talk(strata);
      const sparse = await sendQuestions(idle, 12, 40_000);
      equal(decisions(sparse).at(-1), 'not_worth');
      match(manifests(sparse).at(-1).cache.reason, /more than it is expected to save/);
      accepted(idle.checker, sent(idle.calls));
    },
  },
];

/** Returns an error of the API with status 400. */
const invalid = (message) =>
  new Response(JSON.stringify({ error: { code: 400, status: 'INVALID_ARGUMENT', message } }), {
    status: 400,
  });

/** Returns what answers each creation of a cache with this error. */
const refusingCaches =
  (message) =>
  (response, { method, body }) =>
    method === 'POST' && text(body).startsWith('{"ttl"') ? invalid(message) : response;

const lost = [
  {
    name: "recognizes Vertex AI's words for an expired cache",
    async run(strata) {
      let expired = false;
      const changed = (response, { body }) =>
        expired && text(body ?? new Uint8Array()).includes('"cachedContent"')
          ? invalid('Cache content 6836547480391680000 is expired.')
          : response;
      const talking = await talk(strata, { changed });
      await sendQuestions(talking, 2);
      expired = true;
      const events = await sendQuestions(talking, 1);
      equal(events.filter(({ type }) => type === 'cacheLost').length, 1);
      equal(events.at(-1).type, 'done');
    },
  },
  {
    name: "learns the minimum from Vertex AI's words",
    async run(strata) {
      const message =
        'The cached content is of 12000 tokens. The minimum token count to start caching is 32768.';
      const talking = await talk(strata, { changed: refusingCaches(message) });
      const events = await sendQuestions(talking, 6, 100);
      equal(createCalls(talking.calls).length, 1);
      equal(manifests(events).at(-1).cache.plan.minimumTokens, 32_768);
    },
  },
  {
    name: 'waits longer each time if a cache is too small for a minimum that is known',
    async run(strata) {
      const message =
        'Cached content is too small. total_token_count=5000, min_total_token_count=4096';
      const talking = await talk(strata, { changed: refusingCaches(message) });
      await sendQuestions(talking, 8, 20);
      ok(createCalls(talking.calls).length < 5, createCalls(talking.calls).length);
    },
  },
  ...['gemini', 'vertex'].map((backend) => ({
    name: `forgets an expired cache and sends the request again inline, once (${backend})`,
    async run(strata) {
      const talking = await talk(strata, { emulator: { backend } });
      await sendQuestions(talking, 4);
      // The server's clock is ahead, so the cache has already expired there.
      talking.server.ahead = 3600_000;
      const events = await sendQuestions(talking, 1);
      equal(events.filter(({ type }) => type === 'cacheLost').length, 1);
      equal(decisions(events).length, 2);
      equal(events.at(-1).type, 'done');
      const [rejected, resent] = sent(talking.calls).slice(-2);
      ok(rejected.includes('"cachedContent"') && !resent.includes('"cachedContent"'));
      ok(resent.includes('name your sources'), 'the static text is missing');
      containsAll(resent, '', 1);
      accepted(talking.checker, [resent]);
      const later = await sendQuestions(talking, 2);
      ok(decisions(later).includes('create'), decisions(later).join());
    },
  })),
  ...[
    { name: 'a quota', faults: [{ on: 'caches', kind: 'http429' }] },
    { name: 'a server error', faults: [{ on: 'caches', kind: 'http500' }] },
    { name: 'a broken connection', faults: [{ on: 'caches', kind: 'network' }] },
  ].map(({ name, faults }) => ({
    name: `does not fail the send when creating a cache fails with ${name}, and waits before a retry`,
    async run(strata) {
      const talking = await talk(strata, { emulator: { faults } });
      const events = await sendQuestions(talking, 2);
      deepEqual(actions(events), ['refused']);
      equal(createCalls(talking.calls).length, 1);
      match(manifests(events)[0].cache.reason, /no cache could be made/);
      equal(manifests(events)[0].cache.decision, 'inline');
      accepted(talking.checker, sent(talking.calls));
      const later = await sendQuestions(talking, 1, 100);
      deepEqual(actions(later), ['created']);
    },
  })),
  {
    name: 'tries to create a cache only once with a key of the free tier',
    async run(strata) {
      const talking = await talk(strata, { emulator: { freeTier: true } });
      const events = await sendQuestions(talking, 12, 200);
      equal(createCalls(talking.calls).length, 1);
      equal(events.filter(({ type }) => type === 'done').length, 12);
    },
  },
  {
    name: 'remembers the minimum size that the API reports, also for other conversations',
    async run(strata) {
      const load = { models: [{ id: model, cacheMinimum: 1000 }] };
      const registry = new strata.MemoryCacheRegistry();
      const short = { static: { text: rules.slice(0, 8000) }, load, caching: { registry } };
      const talking = await talk(strata, short);
      const events = await sendQuestions(talking, 3);
      equal(createCalls(talking.calls).length, 1);
      deepEqual(decisions(events), ['inline', 'below_minimum', 'below_minimum']);
      match(manifests(events)[1].cache.reason, /needs 4096/);
      const other = await talk(strata, short);
      await sendQuestions(other, 2);
      equal(createCalls(other.calls).length, 0);
    },
  },
  ...[
    { does: 'create', method: 'POST', action: 'created' },
    { does: 'extend', method: 'PATCH', action: 'extended' },
    { does: 'delete', method: 'DELETE', action: 'deleted' },
  ].map(({ does, method, action }) => ({
    name: `does not wait for a cache that takes too long to ${does}`,
    async run(strata) {
      const isSlow = ({ path, ...call }) =>
        call.method === method && path.includes('cachedContents');
      const talking = await talk(strata, {
        // Long enough for the calls that answer, also on a busy machine.
        caching: { createTimeoutMs: 250 },
        changed: (response) => (isSlow(talking.calls.at(-1)) ? new Promise(() => {}) : response),
      });
      const events = await sendQuestions(talking, 30);
      ok(talking.calls.some(isSlow));
      ok(!actions(events).includes(action), actions(events).join());
      equal(events.filter(({ type }) => type === 'done').length, 30);
    },
  })),
];

/** Implements the methods of Workers KV that the package uses. */
function fakeKv() {
  const values = new Map();
  return {
    values,
    get: async (key) => values.get(key) ?? null,
    put: async (key, value, { expirationTtl }) => {
      if (expirationTtl < 60) throw new Error('KV takes no shorter time');
      values.set(key, value);
    },
    delete: async (key) => void values.delete(key),
  };
}

/** Implements the methods of a Durable Object's storage that the package uses. */
function fakeStorage() {
  const values = new Map();
  return {
    get: async (key) => values.get(key),
    put: async (key, value) => void values.set(key, value),
    delete: async (key) => values.delete(key),
  };
}

const registries = {
  memory: (strata) => new strata.MemoryCacheRegistry(),
  'Workers KV': (strata) => new strata.KvCacheRegistry(fakeKv()),
  'Durable Object': (strata) => new strata.DurableCacheRegistry(fakeStorage()),
};

const perMessage = [
  {
    name: 'pays for one cache in a stored conversation that is opened for each message, and finds it again',
    async run(strata) {
      const talking = await talk(strata, { caching: false });
      const { core, client, settings, calls, time } = talking;
      const store = new strata.MemoryStore();
      const place = { store, id: 'one', caching: true };
      const decided = [];
      for (let i = 0; i < 5; i++) {
        time.ms += 20_000;
        const chat = await strata.Conversation.open(core, client, { ...settings, ...place });
        decided.push(...decisions(await collect(chat.send(`Question ${i}`))));
        chat[Symbol.dispose]?.();
      }
      deepEqual(decided, ['create', 'hit', 'hit', 'hit', 'hit']);
      equal(createCalls(calls).length, 1);
      // What the planner learns is the same as in a conversation that stays open.
      const registry = new strata.MemoryCacheRegistry();
      const open = await talk(strata, { caching: { registry, session: 'a' } });
      for (let i = 0; i < 5; i++) {
        open.time.ms += 20_000;
        await collect(open.chat.send(`Question ${i}`));
      }
      const { state, last, scale } = await storedSession(registry);
      const note = (await store.read('one')).findLast((line) => line.includes('"kind":"note"'));
      const kept = JSON.parse(note).value[`session//${model}`];
      deepEqual([kept.state, kept.last, kept.scale], [state, last, scale]);
    },
  },
  {
    name: 'remembers in the store that a cache was refused, and asks for none with each message',
    async run(strata) {
      const changed = refusingCaches('Quota exceeded.');
      const { core, client, settings, calls } = await talk(strata, { caching: false, changed });
      const place = { store: new strata.MemoryStore(), id: 'one', caching: true };
      for (let i = 0; i < 3; i++) {
        const chat = await strata.Conversation.open(core, client, { ...settings, ...place });
        await collect(chat.send(`Question ${i}`));
      }
      equal(createCalls(calls).length, 1);
    },
  },
  {
    name: 'creates no cache where nothing would find it again, and says so once',
    async run(strata) {
      const { core, client, settings, calls } = await talk(strata, { caching: false });
      const chat = new strata.Conversation(core, client, { ...settings, caching: true });
      const events = [...(await collect(chat.send('One'))), ...(await collect(chat.send('Two')))];
      equal(createCalls(calls).length, 0);
      const warnings = events
        .flatMap(({ type, diagnostics }) => (type === 'diagnostics' ? diagnostics : []))
        .filter(({ code }) => code === 'caching.not_recorded');
      equal(warnings.length, 1);
      match(warnings[0].message, /`store` and `id`.*MemoryCacheRegistry/);
      match(manifests(events)[0].cache.reason, /neither a store nor a registry/);
      equal(warnings[0].severity, 'warning');
    },
  },
];

const storedSession = async (registry) => JSON.parse(await registry.get(`session/a/${model}`));

const shared = [
  ...Object.entries(registries).map(([kind, make]) => ({
    name: `finds the cache of another conversation with the same prompt in the registry: ${kind}`,
    async run(strata) {
      const registry = make(strata);
      const talking = await talk(strata, { caching: { registry } });
      await sendQuestions(talking, 2);
      const { core, client, settings, calls } = talking;
      const other = new strata.Conversation(core, client, settings);
      const before = calls.length;
      const events = await collect(other.send('Hello'));
      equal(createCalls(calls.slice(before)).length, 0);
      ok(sent(calls.slice(before))[0].includes('"cachedContent"'));
      equal(events.at(-1).type, 'done');
    },
  })),
  {
    name: 'drops expired records of the registry in memory, and no others',
    run(strata) {
      const registry = new strata.MemoryCacheRegistry();
      registry.put('lasting', 'yes', 60);
      const keys = Array.from({ length: 1000 }, (_, i) => `expired/${i}`);
      for (const key of keys) registry.put(key, 'yes', -1);
      equal(registry.get('lasting'), 'yes');
      ok(keys.filter((key) => registry.get(key)).length < 100);
    },
  },
  {
    name: 'does not shorten the life of a cache that another conversation has extended',
    async run(strata) {
      const registry = new strata.MemoryCacheRegistry();
      const talking = await talk(strata, { caching: { registry, session: 'a' } });
      await sendQuestions(talking, 1);
      let events = [];
      let extended;
      while (!decisions(events).includes('extend')) {
        const { entry } = await storedSession(registry);
        extended = { ...entry, expires: entry.expires + 3_600_000 };
        registry.put(`entry/${entry.key}`, JSON.stringify(extended));
        events = await sendQuestions(talking, 1);
      }
      deepEqual(actions(events), []);
      equal((await storedSession(registry)).entry.expires, extended.expires);
    },
  },
  {
    name: 'resumes a session with its cache and request rate after a restart',
    async run(strata) {
      const registry = new strata.MemoryCacheRegistry();
      const talking = await talk(strata, { caching: { registry, session: 'a' } });
      let events = [];
      while (!decisions(events).includes('roll')) events = await sendQuestions(talking, 1);
      const { core, client, settings, calls, time, chat } = talking;
      const thread = core.thread({ model, sequencing: 'api', from: chat.thread.save() });
      const resumed = new strata.Conversation(core, client, { ...settings, thread });
      const before = calls.length;
      const after = await sendQuestions({ ...talking, chat: resumed, time }, 1);
      deepEqual(decisions(after), ['hit']);
      equal(createCalls(calls.slice(before)).length, 0);
    },
  },
  ...[
    { end: 'is now', expires: start, found: false },
    { end: 'is a minute away', expires: start + 60_000, found: true },
    { end: 'is not a date', expires: 'soon', found: false },
    { end: 'is missing', expires: undefined, found: false },
  ].map(({ end, expires, found }) => ({
    name: `${found ? 'uses' : 'does not use'} a stored cache whose expiry ${end}`,
    async run(strata) {
      const registry = new strata.MemoryCacheRegistry();
      const talking = await talk(strata, { caching: { registry, session: 'a' } });
      await sendQuestions(talking, 1, 0);
      const { entry } = await storedSession(registry);
      for (const key of [`session/a/${model}`, `entry/${entry.key}`]) {
        const record = JSON.parse(registry.get(key));
        if (record.entry) Object.assign(record.entry, { expires });
        else Object.assign(record, { expires });
        registry.put(key, JSON.stringify(record));
      }
      const { core, client, settings, calls } = talking;
      const resumed = new strata.Conversation(core, client, settings);
      const before = calls.length;
      await sendQuestions({ ...talking, chat: resumed }, 1, 0);
      equal(createCalls(calls.slice(before)).length, found ? 0 : 1);
    },
  })),
  {
    name: 'reads no damaged record of the registry',
    async run(strata) {
      const registry = new strata.MemoryCacheRegistry();
      const talking = await talk(strata, { caching: { registry, session: 'a' } });
      await sendQuestions(talking, 2, 0);
      const { core, client, settings } = talking;
      const intact = await storedSession(registry);
      const { entry, state } = intact;
      const [rate] = Object.keys(state);
      const damaged = [
        ...['', 'x', 'cachedContents/', 'cachedContents/a/b', 'cachedContents/a?b'].map((name) => ({
          state,
          entry: { ...entry, name },
        })),
        ...[-1, 1e9, 0.5, '1'].map((turns) => ({ state, entry: { ...entry, turns } })),
        ...[-1, null, 'many'].map((tokens) => ({ state, entry: { ...entry, tokens } })),
        { state, entry: { ...entry, key: '' } },
        { state, entry: { ...entry, model: '' } },
        { state, entry: [] },
        ...['1', null, {}, -1].map((value) => ({ entry, state: { ...state, [rate]: value } })),
        { entry, state: { unknown: 1 } },
        { entry, state: [1] },
        'text',
        null,
      ];
      for (const record of damaged) {
        registry.put(`session/a/${model}`, JSON.stringify(record));
        const resumed = new strata.Conversation(core, client, settings);
        const events = await sendQuestions({ ...talking, chat: resumed }, 1, 0);
        equal(events.at(-1).type, 'done', JSON.stringify(record));
      }
    },
  },
  {
    name: 'sends without an error when the registry fails',
    async run(strata) {
      const broken = () => Promise.reject(new Error('storage is down'));
      const registry = { get: broken, put: broken, delete: broken };
      const talking = await talk(strata, { caching: { registry, session: 'a' } });
      const events = await sendQuestions(talking, 2);
      deepEqual(decisions(events), ['create', 'hit']);
    },
  },
];

export default [...lifecycle, ...lost, ...perMessage, ...shared];
