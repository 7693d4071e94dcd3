// The stores of the signature memory in the process and in a file, and what encrypts their values.
import assert from 'node:assert/strict';
import {
  appendFile,
  chmod,
  mkdtemp,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before, describe } from 'node:test';
import { loadParts } from './gateway-parts.mjs';
import { checkLimits, checkMemory } from './portable/signature-memory.mjs';

const names = ['memory-store', 'file-memory', 'record-store', 'secrets'];
const parts = await loadParts([...names.map((name) => `memory/${name}`), 'call-memory']);
const { createMemoryStore, createFileMemory, seal, open } = parts;
const { createMemorySecrets, MemorySecrets, modelFamily, servingFamily } = parts;

let root;
before(async () => (root = await mkdtemp(join(tmpdir(), 'strata-memory-'))));
after(() => rm(root, { recursive: true }));
const newPath = async () => join(await mkdtemp(join(root, 'file-')), 'folder', 'signatures.log');

/** A clock that tests advance. */
function newClock() {
  let time = 1_000_000;
  const now = () => time;
  return { now, advance: (ms) => (time += ms) };
}

const later = 2 ** 45;
const entry = (key, ...value) => ({ key, value: Uint8Array.from(value), expiresAt: later });
const valueOf = async (memory, key) => {
  const value = (await memory.get([key])).get(key);
  return value && [...value];
};

describe('createMemoryStore', () => {
  test('keeps the contract', async () => {
    const clock = newClock();
    const memory = createMemoryStore({ now: clock.now });
    await checkMemory(async () => memory, clock);
  });

  test('is bounded', async () => {
    const clock = newClock();
    const limits = { maxEntries: 20, maxBytes: 8000 };
    await checkLimits(createMemoryStore({ ...limits, now: clock.now }), clock, limits);
  });

  test('forgets what was used least recently', async () => {
    const memory = createMemoryStore({ maxEntries: 3 });
    await memory.put([entry('a/1', 1), entry('a/2', 2), entry('a/3', 3)]);
    await memory.get(['a/1']);
    await memory.put([entry('a/4', 4)]);
    assert.deepEqual(await valueOf(memory, 'a/1'), [1]);
    assert.equal(await valueOf(memory, 'a/2'), undefined);
  });

  test('never lets one caller crowd out another who holds less', async () => {
    for (const limits of [{ maxEntries: 50 }, { maxBytes: 5000 }]) {
      const memory = createMemoryStore(limits);
      await memory.put([entry('quiet/1', 1), entry('quiet/2', 2)]);
      for (let i = 0; i < 500; i++) await memory.put([entry(`loud/${i}`, i % 256)]);
      assert.deepEqual(await valueOf(memory, 'quiet/1'), [1]);
      assert.deepEqual(await valueOf(memory, 'quiet/2'), [2]);
      assert.equal(await valueOf(memory, 'loud/0'), undefined);
      assert.deepEqual(await valueOf(memory, 'loud/499'), [499 % 256]);
    }
  });

  test('frees what has ended although nobody asks for it', async () => {
    const clock = newClock();
    const memory = createMemoryStore({ maxEntries: 2, now: clock.now });
    await memory.put([{ ...entry('a/1', 1), expiresAt: clock.now() + 10 }]);
    await memory.put([entry('a/2', 2)]);
    clock.advance(100_000);
    await memory.put([entry('b/3', 3)]);
    // With the ended entry, the caller with more entries would have lost this one.
    assert.deepEqual(await valueOf(memory, 'a/2'), [2]);
    assert.deepEqual(await valueOf(memory, 'b/3'), [3]);
  });

  test('refuses invalid options', () => {
    assert.throws(() => createMemoryStore({ maxEntries: -1 }), { code: 'field.invalid' });
    assert.throws(() => createMemoryStore({ entries: 1 }), { code: 'field.unknown' });
  });
});

describe('createFileMemory', () => {
  test('keeps the contract, also for another process', async () => {
    const clock = newClock();
    const path = await newPath();
    await checkMemory(async () => createFileMemory(path, { now: clock.now }), clock);
  });

  test('is bounded', async () => {
    const clock = newClock();
    const limits = { maxEntries: 20, maxBytes: 8000 };
    const options = { ...limits, now: clock.now };
    await checkLimits(createFileMemory(await newPath(), options), clock, limits);
  });

  test('can be read by its user only, also a file that others could read', async () => {
    const path = await newPath();
    const modeOf = async () => (await stat(path)).mode & 0o777;
    await createFileMemory(path).put([entry('a/1', 1)]);
    assert.equal(await modeOf(), 0o600);
    await chmod(path, 0o644);
    await createFileMemory(path).get(['a/1']);
    assert.equal(await modeOf(), 0o600);
  });

  test('drops a line that a crash cut, at every byte, and continues behind the last whole one', async () => {
    const path = await newPath();
    await createFileMemory(path).put([entry('a/1', 1)]);
    const { size: first } = await stat(path);
    await createFileMemory(path).put([entry('a/2', 2)]);
    const { size: both } = await stat(path);
    const whole = await readFile(path);
    for (let size = first; size < both; size++) {
      await writeFile(path, whole);
      await truncate(path, size);
      const memory = createFileMemory(path);
      assert.deepEqual(await valueOf(memory, 'a/1'), [1]);
      assert.equal(await valueOf(memory, 'a/2'), undefined);
      await memory.put([entry('a/3', 3)]);
      const next = createFileMemory(path);
      assert.deepEqual(await valueOf(next, 'a/1'), [1]);
      assert.deepEqual(await valueOf(next, 'a/3'), [3]);
    }
  });

  test('skips lines that are damaged', async () => {
    const path = await newPath();
    await createFileMemory(path).put([entry('a/1', 1)]);
    await appendFile(path, '{"key":1}\nnull\n\u0000\n{"key":"a/9","value":"*","expiresAt":1e15}\n');
    await createFileMemory(path).put([entry('a/2', 2)]);
    const memory = createFileMemory(path);
    assert.deepEqual(await valueOf(memory, 'a/1'), [1]);
    assert.deepEqual(await valueOf(memory, 'a/2'), [2]);
    assert.equal(await valueOf(memory, 'a/9'), undefined);
  });

  test('stores entries that are put at the same time', async () => {
    const path = await newPath();
    const memory = createFileMemory(path);
    await Promise.all(Array.from({ length: 50 }, (_, i) => memory.put([entry(`a/${i}`, i)])));
    const next = createFileMemory(path);
    for (let i = 0; i < 50; i++) assert.deepEqual(await valueOf(next, `a/${i}`), [i]);
  });

  test('writes a log anew that has become too long', async () => {
    const path = await newPath();
    const memory = createFileMemory(path);
    const value = new Uint8Array(100_000).fill(7);
    for (let i = 0; i < 60; i++) {
      await memory.put([{ key: `a/${i % 3}`, value, expiresAt: later }]);
    }
    const { size, mode } = await stat(path);
    assert.ok(size < 2_500_000, `${size} bytes`);
    assert.equal(mode & 0o777, 0o600);
    const next = createFileMemory(path);
    for (const key of ['a/0', 'a/1', 'a/2']) {
      assert.equal((await next.get([key])).get(key).length, 100_000);
    }
  });

  test('reports a folder that cannot be written, and works when it can', async () => {
    const path = await newPath();
    await writeFile(join(path, '..', '..', 'folder'), 'a file');
    const memory = createFileMemory(path);
    await assert.rejects(memory.put([entry('a/1', 1)]), { code: /ENOTDIR|EEXIST/ });
    await rm(join(path, '..'));
    await memory.put([entry('a/2', 2)]);
    assert.deepEqual(await valueOf(createFileMemory(path), 'a/2'), [2]);
  });

  test('leaves a file alone that is no log, and continues one whose first line was cut', async () => {
    const path = await newPath();
    await createFileMemory(path).put([entry('a/1', 1)]);
    for (const text of ['[{"id":"website"}]', 'A note\n', '{"keys":[]}\n']) {
      await writeFile(path, text);
      const memory = createFileMemory(path);
      await assert.rejects(memory.get(['a/1']), { code: 'field.invalid' });
      await assert.rejects(memory.put([entry('a/2', 2)]), { code: 'field.invalid' });
      assert.equal(await readFile(path, 'utf8'), text);
    }
    for (const text of ['', '{', '{"key":"a/']) {
      await writeFile(path, text);
      await createFileMemory(path).put([entry('a/2', 2)]);
      assert.deepEqual(await valueOf(createFileMemory(path), 'a/2'), [2]);
    }
  });

  test('refuses invalid options', () => {
    assert.throws(() => createFileMemory(''), { code: 'field.invalid' });
    assert.throws(() => createFileMemory('a', { maxBytes: '1' }), { code: 'field.invalid' });
  });
});

describe('secrets', () => {
  const secretsOf = (text) => new MemorySecrets(new TextEncoder().encode(text));
  const scope = { caller: 'a', service: 'gemini', family: 'gemini-3.6' };
  const hex = (bytes) => Buffer.from(bytes).toString('hex');

  test('are the same for the same deployment, and different for everything else', async () => {
    const secrets = secretsOf('one');
    assert.deepEqual(await secrets.ofScope(scope), await secretsOf('one').ofScope(scope));
    const derived = [
      await secrets.ofScope(scope),
      await secrets.ofScope({ ...scope, caller: 'b' }),
      await secrets.ofScope({ ...scope, service: 'vertex' }),
      await secrets.ofScope({ ...scope, family: 'gemini-3' }),
      await secretsOf('two').ofScope(scope),
      (await secrets.ofCaller('a')).secret,
      (await secrets.ofCaller('b')).secret,
      (await secretsOf('two').ofCaller('a')).secret,
      await secrets.ofScope({ ...scope, caller: 'a","gemini' }),
      await secrets.ofScope({ ...scope, caller: 'a', family: 'gemini-3.6"' }),
    ];
    assert.equal(new Set(derived.map(hex)).size, derived.length);
    for (const bytes of derived) assert.equal(bytes.length, 32);
    const shards = [];
    for (const id of ['a', 'b', 'a/b', '']) shards.push((await secrets.ofCaller(id)).shard);
    assert.equal(new Set(shards).size, shards.length);
    for (const shard of shards) assert.match(shard, /^[\w-]{22}\/$/);
  });

  test('are remembered for the newest callers only, and derived again', async () => {
    const secrets = secretsOf('one');
    const first = await secrets.ofCaller('0');
    assert.equal(await secrets.ofCaller('0'), first);
    for (let i = 1; i <= 1000; i++) await secrets.ofCaller(String(i));
    const again = await secrets.ofCaller('0');
    assert.notEqual(again, first);
    assert.deepEqual(again.secret, first.secret);
  });

  test('a memory that outlives the process needs a secret', async () => {
    const inProcess = createMemoryStore();
    const file = createFileMemory(await newPath());
    const own = { get: async () => new Map(), put: async () => {} };
    for (const memory of [file, own]) {
      assert.throws(() => createMemorySecrets(undefined, memory), {
        code: 'memory.secret_missing',
        message: /openssl rand -base64 32/,
      });
      assert.ok(createMemorySecrets('secret', memory));
    }
    assert.throws(() => createMemorySecrets('', inProcess), { code: 'field.invalid' });
    const [one, two] = [1, 2].map(() => createMemorySecrets(undefined, inProcess));
    assert.notDeepEqual((await one.ofCaller('a')).secret, (await two.ofCaller('a')).secret);
  });
});

describe('sealed values', () => {
  const keyOf = async (caller, text = 'secret') =>
    (await new MemorySecrets(new TextEncoder().encode(text)).ofCaller(caller)).valueKey;

  test('open under the same caller and name only', async () => {
    const key = await keyOf('a');
    const text = '\uFEFF{"own":"Zürich 😀"}';
    const value = await seal(key, 'a/1', text);
    assert.equal(await open(await keyOf('a'), 'a/1', value), text);
    assert.equal(await open(key, 'a/2', value), undefined);
    assert.equal(await open(await keyOf('b'), 'a/1', value), undefined);
    assert.equal(await open(await keyOf('a', 'other'), 'a/1', value), undefined);
    assert.equal(Buffer.from(value).includes('own'), false);
  });

  test('do not open when a bit was changed or bytes are missing', async () => {
    const key = await keyOf('a');
    const value = await seal(key, 'n', 'text');
    for (let bit = 0; bit < value.length * 8; bit++) {
      const changed = value.slice();
      changed[bit >> 3] ^= 1 << (bit & 7);
      assert.equal(await open(key, 'n', changed), undefined);
    }
    for (let size = 0; size < value.length; size++) {
      assert.equal(await open(key, 'n', value.subarray(0, size)), undefined);
    }
  });

  test('of equal texts differ', async () => {
    const key = await keyOf('a');
    assert.notDeepEqual(await seal(key, 'n', 'text'), await seal(key, 'n', 'text'));
  });
});

describe('model families', () => {
  const { models } = JSON.parse(
    readFileSync(new URL('../../src/catalogue/models.json', import.meta.url), 'utf8'),
  );

  test('are the generations of the catalogue', () => {
    const chats = models.filter(
      ({ id, output }) => /^gemini-\d/.test(id) && output !== 'embedding',
    );
    assert.ok(chats.length > 25);
    for (const { id, generation } of chats) {
      // "gemini-2" and "gemini-3." are the beginnings of names without a row.
      const name = { 'gemini-2': 'gemini-2.7-x', 'gemini-1.': 'gemini-1.5-pro' }[id] ?? `${id}x`;
      const expected = generation === '3.8' ? '3.6' : generation;
      assert.equal(modelFamily(name), `gemini-${expected}`, id);
    }
  });

  test('do not depend on how a model is named', () => {
    const family = modelFamily('gemini-3.8-flash');
    assert.equal(family, 'gemini-3.6');
    for (const name of [
      'models/gemini-3.8-flash',
      'gemini-3.6-pro',
      'publishers/google/models/gemini-3.8-flash',
      'projects/p/locations/global/publishers/google/models/gemini-3.8-flash-preview-09-2026',
    ]) {
      assert.equal(modelFamily(name), family, name);
    }
  });

  test('of tuned models, endpoints and other models are their own', () => {
    const own = [
      'tunedModels/gemini-3.8-flash-x',
      'projects/p/locations/l/endpoints/1',
      'claude-5',
    ];
    for (const name of own) assert.equal(modelFamily(name), name);
  });

  test('are those of the model that serves an alias or a routed name', () => {
    const served = [];
    const core = {
      modelLimits(model, options) {
        served.push([model, options]);
        return { servedBy: 'gemini-3.8-flash' };
      },
    };
    const at = { backend: 'vertex', now: '2026-11-22T00:00:00Z' };
    assert.equal(servingFamily(core, 'gemini-flash-latest', at), 'gemini-3.6');
    assert.deepEqual(served, [['gemini-flash-latest', at]]);
    assert.equal(servingFamily(core, 'tunedModels/x', at), 'tunedModels/x');
  });
});
