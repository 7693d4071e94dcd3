// A property test of the signature memory: random histories, and clients that drop, rewrite, split, merge and edit what
// they send back. Then what one caller can learn about another.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { describe } from 'node:test';
import { Random } from '../fuzz/random.mjs';
import { loadCore, loadParts } from './gateway-parts.mjs';
import { edits, habits, without, write } from './signed-histories/clients.mjs';
import { InventedModel, resultsFor } from './signed-histories/model.mjs';
import { Oracle } from './signed-histories/oracle.mjs';

const names = ['caller-memory', 'file-memory', 'memory-store', 'secrets'];
const parts = await loadParts(names.map((name) => `memory/${name}`));
const { CallerMemory, createFileMemory, createMemoryStore, MemorySecrets } = parts;
const { defaultLifetimeMs } = parts;
const dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');
const core = await loadCore();

// STRATA_SEEDS=1000 runs more of them.
const seeds = Number(process.env.STRATA_SEEDS ?? 60);
const target = { model: 'gemini-3.8-flash', now: '2026-11-22T00:00:00Z' };
const tools = [
  { functionDeclarations: ['weather', 'time', 'other'].map((name) => ({ name })) },
  { codeExecution: {} },
  { googleSearch: {} },
];
const placeholder = 'skip_thought_signature_validator';
const toolConfig = { includeServerSideToolInvocations: true };
const encoder = new TextEncoder();
const encode = (text) => encoder.encode(text);
const parse = (bytes) => JSON.parse(new TextDecoder().decode(bytes));
const user = (text) => ({ role: 'user', parts: [{ text }] });
const secretsOf = (text) => new MemorySecrets(encode(text));

/** Returns what a memory restores in a body, and the body with it. */
async function restoredIn(memory, bytes) {
  const request = core.request(bytes, 1e6);
  try {
    const restored = await memory.restore(request);
    const { body = bytes } = request.prepare({ ...target, edits: restored.edits });
    return { ...restored, body };
  } finally {
    request[dispose]();
  }
}

const prepared = (body, options) => {
  const request = core.request(body, 1e6);
  try {
    return request.prepare({ ...target, ...options });
  } finally {
    request[dispose]();
  }
};

/** Returns Contents as the client sends them, in camelCase. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const camelCase = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const isFree = key === 'args' || key === 'response';
      return [camelCase(key), isFree ? member : plain(member)];
    }),
  );
}

const signaturesIn = (contents) =>
  contents
    .flatMap((content) => content.parts)
    .filter(({ thought }) => !thought)
    .flatMap(({ thoughtSignature }) => (thoughtSignature ? [thoughtSignature] : []));

/** Returns a Part without the ids of its data. */
const withoutIds = (part) =>
  JSON.parse(JSON.stringify(part, (key, value) => (key === 'id' ? undefined : value)));

/** Returns Contents without signatures and empty texts of the model. */
const withoutSigned = (contents) =>
  contents.map(({ role, parts: all }) => ({
    role,
    parts: all
      .filter(({ text }) => role !== 'model' || text !== '')
      .map((part) => without(part, 'thoughtSignature')),
  }));

/** One conversation of one client with one model. */
class Session {
  constructor(random, { id, scope, world }) {
    this.random = random;
    this.scope = { ...scope, name: JSON.stringify([scope.caller, scope.service, scope.family]) };
    this.world = world;
    this.memory = new CallerMemory({ ...scope, store: world.store, secrets: world.secrets });
    this.id = id;
    /** What the client keeps. */
    this.history = [];
    /** What names the requests whose answers it keeps. */
    this.requests = [];
    /** Whether the client keeps exactly what was said, and all signatures are of its own scope. */
    this.isFaithful = true;
  }

  /** Sends a request, and adds the answer to the history. */
  async step() {
    const { random, world } = this;
    const last = this.history.at(-1);
    const results = last?.role === 'model' && resultsFor(last, random);
    this.history.push(results || user(random.pick(['Hello', 'And in Zürich?', 'Hello again'])));
    if (this.history.length > 2 && random.chance(0.08)) this.edit();
    const { chain, contents } = await this.send();
    const kind = random.pick(['calls', 'calls', 'text', 'code', 'search', 'image']);
    const answer = world.model.answer(kind);
    await this.memory.remember(core, chain, encode(write(answer, random)));
    this.requests.push(world.oracle.remember(this.scope, contents, answer));
    this.history.push(answer);
    if (!random.chance(0.1)) return;
    // The client gives up this answer and asks again.
    this.history.splice(-2);
    this.requests.pop();
  }

  edit() {
    this.isFaithful = false;
    this.history = edits[this.random.pick(Object.keys(edits))](this.history, this.random);
  }

  /** Sends the history the way this client does, and checks what leaves. */
  async send() {
    const { random, world, scope } = this;
    const lost = new Set();
    const chosen = Object.keys(habits).filter(() => random.chance(0.3));
    let contents = this.history;
    for (const name of chosen) contents = habits[name](contents, random, lost);
    const text = write({ contents, tools, toolConfig }, random, { snake: random.chance(0.2) });
    const { body, chain, restored, removed } = await restoredIn(this.memory, encode(text));
    world.counts.requests += 1;
    world.counts.restored += restored;
    world.counts.removed += removed;
    const sent = plain(parse(body).contents);
    const note = `${this.id}: ${chosen.join(', ')}\n${JSON.stringify(contents)}`;
    contents = plain(JSON.parse(text).contents);
    // Nothing but signatures and empty texts for them differs.
    assert.deepEqual(withoutSigned(sent), withoutSigned(contents), note);
    if (restored + removed === 0) assert.equal(Buffer.from(body).toString(), text, note);
    this.checkSignatures(sent, contents, note);
    const expected = world.oracle.restored(scope, contents);
    sent.forEach((content, i) => assert.deepEqual(content, expected[i], `contents/${i} ${note}`));
    if (this.isFaithful) this.checkComplete(sent, { chosen, lost, body, note });
    return { chain, contents };
  }

  // No signature is invented, and each stands on the Part that the model gave it for.
  checkSignatures(sent, contents, note) {
    const carried = new Set(signaturesIn(contents));
    for (const part of sent.flatMap((content) => content.parts)) {
      const signature = part.thoughtSignature;
      if (!signature || carried.has(signature) || part.thought) continue;
      const given = this.world.model.signed.get(signature);
      assert.ok(given, `invented: ${signature} ${note}`);
      if (part.functionCall) {
        assert.equal(part.functionCall.name, given.functionCall.name, note);
        assert.deepEqual(part.functionCall.args ?? {}, given.functionCall.args, note);
      } else if (typeof part.text === 'string') {
        // The client may have split or merged it.
        const [shorter, longer] = [part.text, given.text].sort((a, b) => a.length - b.length);
        assert.equal(typeof given.text, 'string', note);
        assert.equal(part.text === '', given.text === '', note);
        assert.ok(longer.endsWith(shorter), note);
      } else assert.deepEqual(withoutIds(part), withoutIds(given), note);
    }
  }

  // Every signature that the model gave is back in its place, and the API accepts the request.
  checkComplete(sent, { chosen, lost, body, note }) {
    const given = signaturesIn(this.history).filter((signature) => !lost.has(signature));
    const left = signaturesIn(sent).filter((signature) => !lost.has(signature));
    // A parallel call in a Content of its own may be the first call of another answer.
    const isSplit = chosen.includes('splitContents');
    // What an earlier answer to an equal request signed may come back, too.
    const isRepeated = this.requests.some((request) => this.world.oracle.isRepeated(request));
    if (!isRepeated)
      assert.deepEqual(isSplit ? left.filter((each) => each !== placeholder) : left, given, note);
    const repaired = prepared(body, { repair: true });
    const errors = repaired.diagnostics.filter(({ severity }) => severity === 'error');
    assert.deepEqual(errors, [], note);
    this.world.counts.accepted += 1;
  }
}

/** Two callers, two services and two families of models share one store and one deployment. */
async function runWorld(seed) {
  const random = new Random(`signatures ${seed}`);
  const world = {
    store: createMemoryStore(),
    secrets: secretsOf(`deployment ${seed}`),
    model: new InventedModel(random, String(seed)),
    oracle: new Oracle(),
    counts: { requests: 0, restored: 0, removed: 0, accepted: 0 },
  };
  const scopes = [
    { caller: 'one', service: 'gemini', family: 'gemini-3.6' },
    { caller: 'two', service: 'gemini', family: 'gemini-3.6' },
    { caller: 'one', service: 'vertex', family: 'gemini-3.6' },
    { caller: 'one', service: 'gemini', family: 'gemini-4' },
  ];
  const sessions = [];
  for (let i = 0; i < 14; i++) {
    if (sessions.length === 0 || random.chance(0.25)) sessions.push(newSession());
    await random.pick(sessions).step();
  }
  return world;

  function newSession() {
    const id = `seed ${seed}, session ${sessions.length}`;
    const session = new Session(random, { id, scope: random.pick(scopes), world });
    // A client takes a history along: to another model, another service, another key, or another window.
    if (sessions.length > 0 && random.chance(0.6)) {
      session.history = structuredClone(random.pick(sessions).history);
      session.isFaithful = false;
    }
    return session;
  }
}

test('random clients get back what the model gave for each part in its place, and nothing else', async () => {
  const seen = { requests: 0, restored: 0, removed: 0, accepted: 0 };
  for (let seed = 1; seed <= seeds; seed++) {
    const { counts } = await runWorld(seed);
    for (const name of Object.keys(seen)) seen[name] += counts[name];
  }
  assert.ok(seen.accepted > seeds * 5, JSON.stringify(seen));
  assert.ok(seen.restored > seeds * 20, JSON.stringify(seen));
  assert.ok(seen.removed > seeds, JSON.stringify(seen));
});

/** A memory with an own deployment, and short functions to use it. */
function newMemory(options = {}) {
  const clock = { time: 1_000_000 };
  const scope = { caller: 'one', service: 'gemini', family: 'gemini-3.6' };
  const shared = { store: createMemoryStore({ now: () => clock.time }), secrets: secretsOf('s') };
  const open = (more) =>
    new CallerMemory({ ...shared, ...scope, now: () => clock.time, ...options, ...more });
  const signed = (part, signature) => ({ ...part, thoughtSignature: btoa(signature) });
  const remember = async (contents, parts, more) => {
    const memory = open(more);
    const chain = await memory.chain(core.request(encode(JSON.stringify({ contents })), 1e6));
    return memory.remember(core, chain, encode(JSON.stringify({ role: 'model', parts })));
  };
  const restore = async (contents, more) => {
    const restored = await restoredIn(open(more), encode(JSON.stringify({ contents })));
    const texts = signaturesIn(parse(restored.body).contents).map((each) =>
      Buffer.from(each, 'base64').toString(),
    );
    return { ...restored, signatures: texts, contents: parse(restored.body).contents };
  };
  return { clock, open, signed, remember, restore, store: shared.store };
}

const callOf = (id, args = {}) => ({ functionCall: { ...(id && { id }), name: 'weather', args } });
const modelSays = (...parts) => ({ role: 'model', parts });
const hello = [user('Hello')];

describe('a memory', () => {
  test('forgets after seven days, or after the lifetime that it is given', async () => {
    assert.equal(defaultLifetimeMs, 7 * 86_400_000);
    for (const lifetimeMs of [undefined, 5000]) {
      const options = lifetimeMs === undefined ? {} : { lifetimeMs };
      const { clock, signed, remember, restore } = newMemory(options);
      await remember(hello, [signed(callOf('a'), 'S')]);
      clock.time += (lifetimeMs ?? defaultLifetimeMs) - 1;
      assert.deepEqual((await restore([...hello, modelSays(callOf('a'))])).signatures, ['S']);
      clock.time += 1;
      assert.deepEqual((await restore([...hello, modelSays(callOf('a'))])).signatures, []);
    }
  });

  test('is found again after a restart, with the same secret only', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'strata-restart-'));
    const path = join(folder, 'signatures.log');
    const start = (secret) =>
      newMemory({
        store: createFileMemory(path, { now: () => 0 }),
        secrets: secretsOf(secret),
      });
    try {
      const { signed, remember } = start('one');
      await remember(hello, [signed(callOf('a'), 'S')]);
      const after = async (secret) =>
        (await start(secret).restore([...hello, modelSays(callOf('a'))])).signatures;
      assert.deepEqual(await after('two'), []);
      assert.deepEqual(await after('one'), ['S']);
      const log = await readFile(path, 'utf8');
      for (const plain of ['weather', 'gemini', 'Hello']) assert.ok(!log.includes(plain), plain);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('does not trust a store to forget', async () => {
    const entries = new Map();
    const store = {
      get: async (keys) => new Map(keys.flatMap((key) => entries.get(key) ?? [])),
      put: async (all) => all.forEach(({ key, value }) => entries.set(key, [[key, value]])),
    };
    const { clock, signed, remember, restore } = newMemory({ store, lifetimeMs: 1000 });
    await remember(hello, [signed(callOf('a'), 'S')]);
    assert.deepEqual((await restore([...hello, modelSays(callOf('a'))])).signatures, ['S']);
    clock.time += 1000;
    assert.deepEqual((await restore([...hello, modelSays(callOf('a'))])).signatures, []);
  });

  test('ignores values that a store changed or moved to another key', async () => {
    const entries = new Map();
    let change = (_key, value) => value;
    const store = {
      get: async (keys) =>
        new Map(
          keys.filter((key) => entries.has(key)).map((key) => [key, change(key, entries.get(key))]),
        ),
      put: async (all) => all.forEach(({ key, value }) => entries.set(key, value)),
    };
    const { signed, remember, restore } = newMemory({ store });
    await remember(hello, [signed(callOf('a'), 'S'), callOf('b', { n: 1 })]);
    const history = [...hello, modelSays(callOf('a'))];
    const values = [...entries.values()];
    for (const damage of [
      (_key, value) => value.map((byte) => byte ^ 1),
      (_key, value) => value.subarray(0, 20),
      (_key, value) => values[(values.indexOf(value) + 1) % values.length],
      () => new Uint8Array(0),
    ]) {
      change = damage;
      assert.deepEqual((await restore(history)).signatures, []);
    }
    change = (_key, value) => value;
    assert.deepEqual((await restore(history)).signatures, ['S']);
  });

  test('gives the newest answer of an equal request', async () => {
    const { signed, remember, restore } = newMemory();
    await remember(hello, [signed(callOf('a'), 'old')]);
    await remember(hello, [signed(callOf('b'), 'new')]);
    assert.deepEqual((await restore([...hello, modelSays(callOf())])).signatures, ['new']);
  });

  test('finds a call by part and id where the history before it was rewritten', async () => {
    const { signed, remember, restore } = newMemory();
    await remember(hello, [signed(callOf('a', { n: 1 }), 'S')]);
    const other = [user('Something else')];
    const restored = async (part) => (await restore([...other, modelSays(part)])).signatures;
    assert.deepEqual(await restored(callOf('a', { n: 1.0 })), ['S']);
    assert.deepEqual(await restored(callOf('a', { n: 2 })), [], 'never an id alone');
    assert.deepEqual(await restored(callOf('b', { n: 1 })), []);
    assert.deepEqual(await restored(callOf(undefined, { n: 1 })), [], 'never a part alone');
  });

  test('restores nothing by part and id if two answers had them', async () => {
    const { signed, remember, restore } = newMemory();
    await remember(hello, [signed(callOf('a'), 'one')]);
    await remember([user('Good morning')], [signed(callOf('a'), 'two')]);
    const at = async (text) => (await restore([user(text), modelSays(callOf('a'))])).signatures;
    assert.deepEqual(await at('Something else'), []);
    assert.deepEqual(await at('Hello'), ['one']);
    assert.deepEqual(await at('Good morning'), ['two']);
  });

  test('removes the signature of a part that was edited, and leaves an unknown one alone', async () => {
    const { signed, remember, restore } = newMemory();
    await remember(hello, [signed({ text: 'It rains.' }, 'S')]);
    const restored = async (part) => restore([...hello, modelSays(part)]);
    const edited = await restored(signed({ text: 'It snows.' }, 'S'));
    assert.deepEqual([edited.signatures, edited.restored, edited.removed], [[], 0, 1]);
    const unknown = await restored(signed({ text: 'It snows.' }, 'its own'));
    assert.deepEqual([unknown.signatures, unknown.removed], [['its own'], 0]);
    const right = await restored(signed({ text: 'It rains.' }, 'S'));
    assert.deepEqual([right.signatures, right.restored, right.removed], [['S'], 0, 0]);
  });

  test('removes what another service or another family of models signed, and signs anew', async () => {
    const { signed, remember, restore } = newMemory();
    await remember(hello, [signed(callOf('a'), 'S')]);
    const history = [...hello, modelSays(signed(callOf('a'), 'S'))];
    for (const scope of [{ service: 'vertex' }, { family: 'gemini-4' }]) {
      const { signatures, removed } = await restore(history, scope);
      assert.deepEqual([signatures, removed], [[], 1]);
      await remember(hello, [signed(callOf('b'), 'own')], scope);
      assert.deepEqual((await restore(history, scope)).signatures, ['own']);
    }
    assert.deepEqual((await restore(history)).signatures, ['S']);
  });

  test('replaces placeholders, also on calls that the model did not sign', async () => {
    const { signed, remember, restore } = newMemory();
    const dummy = (part) => ({ ...part, thoughtSignature: placeholder });
    const [one, two] = [callOf('a', { n: 1 }), callOf('b', { n: 2 })];
    await remember(hello, [signed(one, 'S'), two]);
    const { signatures } = await restore([...hello, modelSays(dummy(one), dummy(two))]);
    assert.deepEqual(signatures, ['S']);
    const forged = await restore([...hello, modelSays(dummy(one), signed(two, 'forged'))]);
    assert.deepEqual(forged.signatures, ['S']);
    // Of an answer that is not remembered, nothing is known.
    const unknown = [user('Something else'), modelSays(dummy(callOf('x')), dummy(callOf('y')))];
    assert.equal((await restore(unknown)).removed, 0);
  });

  test('restores a signed empty text where it was, in what the client kept of it', async () => {
    const { signed, remember, restore } = newMemory();
    const empty = { text: '' };
    const parts = [signed(callOf('a'), 'call'), signed(empty, 'end')];
    await remember(hello, parts);
    for (const kept of [
      [callOf()],
      [callOf(), empty],
      [parts[0]],
      [parts[0], empty],
      [callOf(), parts[1]],
      parts,
    ]) {
      const { contents } = await restore([...hello, modelSays(...kept)]);
      assert.deepEqual(contents[1].parts.map(withoutIds), parts.map(withoutIds));
    }
  });

  test('does not mix the signatures of two answers to one request', async () => {
    const { signed, remember, restore } = newMemory();
    await remember(hello, [signed(callOf('a'), 'old'), signed({ text: '' }, 'old end')]);
    await remember(hello, [signed(callOf('b'), 'new')]);
    assert.deepEqual((await restore([...hello, modelSays(callOf())])).signatures, ['new']);
    const old = [...hello, modelSays(signed(callOf('a'), 'old'))];
    assert.deepEqual((await restore(old)).signatures, ['old', 'old end']);
  });

  test('survives a store that fails, and says so', async () => {
    const failures = [];
    const store = {
      get: async () => Promise.reject(new Error('no get')),
      put: async () => Promise.reject(new Error('no put')),
    };
    const onFailure = ({ message }) => failures.push(message);
    const { signed, remember, restore } = newMemory({ store, onFailure });
    assert.equal(await remember(hello, [signed(callOf('a'), 'S')]), 0);
    const text = JSON.stringify({ contents: [...hello, modelSays(callOf('a'))] });
    const { body, chain } = await restore(JSON.parse(text).contents);
    assert.equal(Buffer.from(body).toString(), text);
    assert.match(chain, /^[\w-]{22}$/);
    assert.deepEqual(failures, ['no put', 'no get']);
  });

  test('does not wait for a store that hangs', async () => {
    const failures = [];
    const hang = () => new Promise(() => {});
    const onFailure = ({ message }) => failures.push(message);
    const store = { get: hang, put: hang };
    const { signed, remember, restore } = newMemory({ store, onFailure, storeTimeoutMs: 1 });
    assert.equal(await remember(hello, [signed(callOf('a'), 'S')]), 0);
    const { signatures } = await restore([...hello, modelSays(callOf('a'))]);
    assert.deepEqual(signatures, []);
    assert.deepEqual(failures, Array(2).fill('The signature memory did not answer in time'));
  });

  test('asks a store once for a request that carries all its signatures, and not for long values', async () => {
    const asked = [];
    const inner = createMemoryStore();
    const store = {
      put: (entries) => inner.put(entries),
      get: async (keys) => {
        const found = await inner.get(keys);
        asked.push({
          keys: keys.length,
          bytes: [...found.values()].reduce((n, v) => n + v.length, 0),
        });
        return found;
      },
    };
    const { remember, restore } = newMemory({ store, now: Date.now });
    const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
    const long = { ...image, thoughtSignature: 'A'.repeat(400_000) };
    await remember(hello, [long]);
    await restore([...hello, modelSays(long)]);
    assert.equal(asked.length, 1);
    assert.ok(asked[0].bytes < 300, `${asked[0].bytes} bytes`);
    assert.equal((await restore([...hello, modelSays(image)])).restored, 1);
    await restore([user('Only a question')]);
    assert.equal(asked.length, 2);
  });

  test('looks up the newest parts of an endless history only', async () => {
    const inner = createMemoryStore();
    let keys = 0;
    const store = {
      put: (entries) => inner.put(entries),
      get: (names) => ((keys += names.length), inner.get(names)),
    };
    const { signed, remember, restore } = newMemory({ store, now: Date.now });
    const calls = Array.from({ length: 6000 }, (_, n) => callOf(`id${n}`, { n }));
    const history = [...hello, modelSays(...calls), user('Hello again')];
    await remember(history, [signed(callOf('last'), 'S')]);
    const { signatures } = await restore([...history, modelSays(callOf('last'))]);
    assert.deepEqual(signatures, ['S']);
    assert.equal(keys, 2 * 5000);
  });

  test('remembers only what the model signed', async () => {
    const { remember, store, signed } = newMemory();
    let puts = 0;
    const counting = { ...store, put: (entries) => ((puts += 1), store.put(entries)) };
    assert.equal(await remember(hello, [{ text: 'Hi' }], { store: counting }), 0);
    assert.equal(puts, 0);
    const parts = [signed(callOf('a'), 'S'), callOf('b', { n: 1 }), signed({ text: '' }, 'T')];
    assert.equal(await remember(hello, parts, { store: counting }), 2);
    assert.equal(puts, 1);
  });
});
