// workerd, the engine of Cloudflare Workers: bundled by Wrangler as a user's Worker is, run by Miniflare.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Miniflare } from 'miniflare';
import { root, run } from '../../scripts/setup/run.mjs';
import { consumer } from '../js/consumer.mjs';
import { testIn } from '../js/report.mjs';

const compatibilityDate = '2026-04-01';

async function bundle() {
  const folder = join(consumer, 'worker');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'worker.mjs'),
    "import { results } from '../suite.mjs';\n" +
      'export default { fetch: async () => Response.json(await results()) };\n',
  );
  const config = { name: 'portable', main: 'worker.mjs', compatibility_date: compatibilityDate };
  writeFileSync(join(folder, 'wrangler.json'), JSON.stringify(config));
  const wrangler = join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js');
  await run(process.execPath, [wrangler, 'deploy', '--dry-run', '--outdir', 'out'], {
    cwd: folder,
    env: { WRANGLER_SEND_METRICS: 'false' },
  });
  return join(folder, 'out');
}

testIn('workerd', async () => {
  const out = await bundle();
  const miniflare = new Miniflare({
    host: '127.0.0.1',
    port: 0,
    cf: false,
    compatibilityDate,
    modules: true,
    modulesRoot: out,
    scriptPath: join(out, 'worker.js'),
    modulesRules: [
      { type: 'ESModule', include: ['**/*.js'] },
      { type: 'CompiledWasm', include: ['**/*.wasm'] },
    ],
  });
  try {
    const response = await miniflare.dispatchFetch('http://localhost/');
    if (!response.ok) throw new Error(await response.text());
    return await response.json();
  } finally {
    await miniflare.dispose();
  }
});
