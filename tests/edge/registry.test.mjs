// What is known of caches, in the storage of the platform: Workers KV and a Durable Object in workerd.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { Miniflare } from 'miniflare';
import { bundleInConsumer } from './bundle.mjs';

const kept = mkdtempSync(join(tmpdir(), 'strata-registry-'));
let options;
before(async () => {
  const source = readFileSync(new URL('registry-worker.mjs', import.meta.url), 'utf8');
  options = {
    ...(await bundleInConsumer('registry', source)),
    kvNamespaces: ['KV'],
    kvPersist: join(kept, 'kv'),
    durableObjects: { KEEPER: { className: 'Keeper', useSQLite: true } },
    durableObjectsPersist: join(kept, 'objects'),
  };
});
after(() => rmSync(kept, { recursive: true, force: true }));

/** Two questions, one after the other, to a Worker that has just been started. */
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

const made = ({ calls }) => calls.filter((call) => call === 'POST cachedContents').length;

for (const [kind, path] of [
  ['Workers KV', '/kv'],
  ['a Durable Object', '/object'],
]) {
  test(`${kind}: another conversation finds the cache, another process forgets one that is gone`, async () => {
    const [first, second] = await askTwice(path);
    assert.equal(made(first), 1);
    assert.equal(made(second), 0);
    assert.deepEqual(second.calls, ['POST streamGenerateContent']);

    // The registry is as it was, the emulator is a new one that knows no cache.
    const [third, fourth] = await askTwice(path);
    assert.ok(third.events.includes('cacheLost'), third.events.join());
    assert.deepEqual(third.calls, ['POST streamGenerateContent', 'POST streamGenerateContent']);
    assert.equal(made(fourth), 1);
  });
}
