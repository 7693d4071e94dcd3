// Runs the portable tests in workerd, the runtime of Cloudflare Workers, bundled by Wrangler and run by Miniflare.
import assert from 'node:assert/strict';
import test from 'node:test';
import { testIn } from '../js/report.mjs';
import { answerOf, bundleInConsumer } from './bundle.mjs';

const source = `
import { results } from '../suite.mjs';
export default { fetch: async () => Response.json(await results()) };
`;

// Wrangler writes the hash of a file before its name.
const wasmIn = ({ modules }) =>
  modules
    .map(({ path }) => /(\w+)\.wasm$/.exec(path)?.[1])
    .filter(Boolean)
    .sort();

for (const [entry, modules] of Object.entries({
  templates: ['templates'],
  check: ['check'],
  gateway: ['check'],
  remote: [],
})) {
  test(`a Worker with prompt-strata/${entry} is bundled with its own module only`, async () => {
    const exported = `export * from 'prompt-strata/${entry}';\nexport default {};`;
    assert.deepEqual(wasmIn(await bundleInConsumer(`${entry}-worker`, exported)), modules);
  });
}

const chatSource = `
import { connect, GeminiClient } from 'prompt-strata';

const used = new Set();
const { instantiate } = WebAssembly;
WebAssembly.instantiate = (module, imports) => {
  used.add(module);
  return instantiate(module, imports);
};

const answer = { content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' };
const fetch = async () => new Response('data: ' + JSON.stringify({ candidates: [answer] }) + '\\r\\n\\r\\n');
const client = new GeminiClient({ fetch });

async function modulesAfter(options) {
  const chat = await connect({ client, model: 'gemini-3.8-flash', ...options });
  const { text } = await chat.ask('Hello');
  return text + used.size;
}

export default {
  async fetch() {
    const history = [{ role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hi!' }];
    return Response.json([
      await modulesAfter({ systemInstruction: 'Be brief.' }),
      await modulesAfter({ static: { template: 'Be {{ how }}.', variables: { how: 'brief' } } }),
      await modulesAfter({ history }),
    ]);
  },
};
`;

// Wrangler puts what is imported on use into the one file of the Worker, so that all modules are uploaded.
test('a Worker with prompt-strata uses other modules only for templates and imports', async () => {
  const options = await bundleInConsumer('chat-worker', chatSource);
  assert.deepEqual(wasmIn(options), ['check', 'talk', 'templates']);
  assert.deepEqual(await answerOf(options), ['Hi1', 'Hi2', 'Hi3']);
});

testIn('workerd', async () => answerOf(await bundleInConsumer('worker', source)));
