// Runs the portable tests in workerd, the runtime of Cloudflare Workers, bundled by Wrangler and run by Miniflare.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import test from 'node:test';
import { testIn } from '../js/report.mjs';
import { answerOf, bundleInConsumer } from './bundle.mjs';

const source = `
import { results } from '../suite.mjs';
export default { fetch: async () => Response.json(await results()) };
`;

const liteSource = `
import { load } from 'prompt-strata/lite';
export default { fetch: async () => Response.json((await load()).modelLimits('gemini-3.8-flash')) };
`;

test('a Worker with prompt-strata/lite is bundled without the whole core', async () => {
  const options = await bundleInConsumer('lite-worker', liteSource);
  const files = readdirSync(options.modulesRoot).filter((file) => file.endsWith('.wasm'));
  assert.equal(files.length, 1);
  assert.match(files[0], /lite\.wasm$/);
  assert.ok((await answerOf(options)).contextTokens > 0);
});

testIn('workerd', async () => answerOf(await bundleInConsumer('worker', source)));
