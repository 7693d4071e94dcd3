// A property test of the signature memory: random histories, and clients that drop, rewrite, split, merge and edit what
// they send back. Then what one caller can learn about another.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Random } from '../fuzz/random.mjs';
import { loadCore, loadParts } from './gateway-parts.mjs';
import { edits, habits, write } from './signed-histories/clients.mjs';
import { InventedModel, resultsFor } from './signed-histories/model.mjs';
import { Oracle } from './signed-histories/oracle.mjs';

const names = ['caller-memory', 'memory-store', 'secrets', 'signature-memory'];
const parts = await loadParts(names.map((name) => `memory/${name}`));
const { CallerMemory, createMemoryStore, MemorySecrets, defaultLifetimeMs } = parts;
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
      .map(({ thoughtSignature: _, ...part }) => part),
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
    const { body, chain, restored, removed } = await this.memory.restore(core, encode(text));
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
    const report = core.lint(body, target);
    const repaired = report.ok ? report : core.lint(core.repair(body, target).body, target);
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
