// Bundles the Worker of docs/own-worker.md with Wrangler from the packed package, and holds conversations with its threads
// in workerd.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { Miniflare } from 'miniflare';
import { root, run } from '../../scripts/setup/run.mjs';
import { consumer } from '../support/consumer.mjs';
import { bundleInConsumer } from './bundle.mjs';

const read = (...path) => readFileSync(join(...path), 'utf8');
const folder = join(consumer, 'node_modules', 'prompt-strata', 'dist', 'starter');
const starter = read(folder, 'worker.mjs');
const docs = read(root, 'docs', 'own-worker.md');
const own = `
import { createThreads } from 'prompt-strata/worker';
export { CallerObject } from 'prompt-strata/worker';
const find = { name: 'find_order', description: 'Finds an order', run: () => ({ state: 'sent' }) };
const threads = createThreads({
  configurations: {
    support: { systemInstruction: 'Help.', tools: [find], dynamic: () => ({ text: 'It is noon.' }) },
  },
  default: 'support',
});
export const { ThreadObject } = threads;
export default { fetch: (request, env, context) => threads.fetch(request, env, context) ?? new Response('mine') };
`;

const bindings = { EMULATOR: 'true', CALLER_KEY: 'local', MODEL: 'gemini-3.8-flash' };
const durableObjects = {
  THREADS: { className: 'ThreadObject', useSQLite: true },
  CALLERS: { className: 'CallerObject', useSQLite: true },
};

/** Starts a Worker and returns what calls it. */
async function started(name, source, t) {
  const options = await bundleInConsumer(name, source);
  const miniflare = new Miniflare({ ...options, bindings, durableObjects });
  t.after(() => miniflare.dispose());
  const { origin } = await miniflare.ready;
  const call = (path, body, headers = { authorization: `Bearer ${bindings.CALLER_KEY}` }) =>
    miniflare.dispatchFetch(`http://localhost${path}`, {
      headers: {
        ...headers,
        ...(body && { 'content-type': 'application/json', accept: 'application/x-ndjson' }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
  return Object.assign(call, { origin });
}

const eventsOf = async (response) =>
  (await response.text())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

test('the docs show the starter, which names all classes', () => {
  const [, shown] = /```text\n([\s\S]*?)```/.exec(docs);
  assert.equal(starter.split('\n').slice(1).join('\n'), shown);
  const settings = JSON.parse(read(folder, 'wrangler.json'));
  const bound = settings.durable_objects.bindings.map(({ name, class_name: className }) => [
    name,
    className,
  ]);
  const ours = Object.entries(durableObjects).map(([name, { className }]) => [name, className]);
  assert.deepEqual(bound, ours);
});

test('a Worker of a few lines has threads, and its own page', async (t) => {
  const call = await started('own-worker', starter, t);
  assert.equal(await (await call('/')).text(), 'My page');
  for (const headers of [{}, { authorization: 'Bearer other' }]) {
    const refused = await call('/threads', {}, headers);
    assert.equal(refused.status, 401);
    assert.doesNotMatch(await refused.text(), /gateway/i);
  }
  const { id, configuration } = await (await call('/threads', {})).json();
  assert.equal(configuration, 'assistant');
  for (const message of ['Hello', 'And now?']) {
    const events = await eventsOf(await call(`/threads/${id}/messages`, { message }));
    assert.ok(
      events.some(({ type }) => type === 'done'),
      JSON.stringify(events.at(-1)),
    );
    assert.equal(events.at(-1).type, 'stored');
  }
  assert.equal((await (await call(`/threads/${id}`)).json()).turns, 4);
});

const noCurl = spawnSync('curl', ['--version']).error && 'curl is not installed';

test('the commands of the docs send a message to the starter', { skip: noCurl }, async (t) => {
  const { origin } = await started('own-worker', starter, t);
  const [, commands] = /```sh\n(url=[\s\S]*?)```/.exec(docs);
  const answer = await run('sh', ['-c', commands.replace('http://localhost:8787', origin)]);
  for (const type of ['text', 'done', 'stored'])
    assert.ok(answer.includes(`data: {"type":"${type}"`), answer);
});

test('a deployment of its own has its tools', async (t) => {
  const call = await started('own-deployment', own, t);
  assert.equal(await (await call('/other')).text(), 'mine');
  const { id, configuration } = await (await call('/threads', {})).json();
  assert.equal(configuration, 'support');
  const events = await eventsOf(
    await call(`/threads/${id}/messages`, { message: 'Please call find_order' }),
  );
  const result = events.find(({ type }) => type === 'toolResult');
  assert.deepEqual(result?.response, { output: { state: 'sent' } });
  assert.equal(events.at(-1).type, 'stored');
});
