// workerd, the engine of Cloudflare Workers: bundled by Wrangler as a user's Worker is, run by Miniflare.
import { Miniflare } from 'miniflare';
import { testIn } from '../js/report.mjs';
import { bundleInConsumer } from './bundle.mjs';

const source = `
import { results } from '../suite.mjs';
export default { fetch: async () => Response.json(await results()) };
`;

testIn('workerd', async () => {
  const miniflare = new Miniflare(await bundleInConsumer('worker', source));
  try {
    const response = await miniflare.dispatchFetch('http://localhost/');
    if (!response.ok) throw new Error(await response.text());
    return await response.json();
  } finally {
    await miniflare.dispose();
  }
});
