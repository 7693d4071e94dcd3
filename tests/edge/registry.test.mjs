// Tests the cache registries in the storage of the platform: Workers KV and a Durable Object in workerd.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { Miniflare } from 'miniflare';
import { bundleInConsumer } from './bundle.mjs';

const storage = mkdtempSync(join(tmpdir(), 'strata-registry-'));
let options;
before(async () => {
  const source = readFileSync(new URL('registry-worker.mjs', import.meta.url), 'utf8');
  options = {
    ...(await bundleInConsumer('registry', source)),
    kvNamespaces: ['KV'],
    kvPersist: join(storage, 'kv'),
    durableObjects: { KEEPER: { className: 'Keeper', useSQLite: true } },
    durableObjectsPersist: join(storage, 'objects'),
  };
});
after(() => rmSync(storage, { recursive: true, force: true }));

/** Starts a Worker and sends it two requests. */
async function askTwice(path) {
  const miniflare = new Miniflare(options);
  try {
    const answers = [];
    for (let i = 0; i < 2; i++) {
      const response = await miniflare.dispatchFetch(`http://localhost${path}`);
      assert.equal(response.status, 200, await response.clone().text());
      answers.push(await response.json());
    }
    for (const { faults, events } of answers) {
      assert.deepEqual(faults, []);
      assert.equal(events.at(-1), 'done');
    }
    return answers;
  } finally {
    await miniflare.dispose();
  }
}

const createCount = ({ calls }) => calls.filter((call) => call === 'POST cachedContents').length;

for (const [kind, path] of [
  ['Workers KV', '/kv'],
  ['a Durable Object', '/object'],
]) {
  test(`${kind}: shares a cache between conversations, and forgets one that no longer exists`, async () => {
    const [first, second] = await askTwice(path);
    assert.equal(createCount(first), 1);
    assert.equal(createCount(second), 0);
    assert.deepEqual(second.calls, ['POST streamGenerateContent']);

    // The registry is unchanged, but the new emulator has no caches.
    const [third, fourth] = await askTwice(path);
    assert.ok(third.events.includes('cacheLost'), third.events.join());
    assert.deepEqual(third.calls, ['POST streamGenerateContent', 'POST streamGenerateContent']);
    assert.equal(createCount(fourth), 1);
  });
}
