// Runs the portable tests in workerd, the runtime of Cloudflare Workers, bundled by Wrangler and run by Miniflare.
import { testIn } from '../js/report.mjs';
import { answerOf, bundleInConsumer } from './bundle.mjs';

const source = `
import { results } from '../suite.mjs';
export default { fetch: async () => Response.json(await results()) };
`;

testIn('workerd', async () => answerOf(await bundleInConsumer('worker', source)));
