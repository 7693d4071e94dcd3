// Bundles a Worker for a test with Wrangler, using the installed package, and runs it in Miniflare.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Miniflare } from 'miniflare';
import { root, run } from '../../scripts/setup/run.mjs';
import { modulesOfBundle } from '../../scripts/setup/worker.mjs';
import { consumer } from '../support/consumer.mjs';

const compatibilityDate = '2026-04-01';

/**
 * Bundles `source`, which can import `../suite.mjs` and the files next to it, and returns options for `new Miniflare`.
 * @param {string} name
 * @param {string} source
 */
export async function bundleInConsumer(name, source) {
  const folder = join(consumer, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'worker.mjs'), source);
  const config = { name, main: 'worker.mjs', compatibility_date: compatibilityDate };
  writeFileSync(join(folder, 'wrangler.json'), JSON.stringify(config));
  const wrangler = join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js');
  await run(process.execPath, [wrangler, 'deploy', '--dry-run', '--outdir', 'out'], {
    cwd: folder,
    env: { WRANGLER_SEND_METRICS: 'false' },
  });
  const out = join(folder, 'out');
  return {
    host: '127.0.0.1',
    port: 0,
    cf: false,
    compatibilityDate,
    modulesRoot: out,
    modules: modulesOfBundle(join(out, 'worker.js')),
  };
}

/**
 * Returns the JSON that a Worker with these options answers to one request.
 * @param {import('miniflare').MiniflareOptions} options
 */
export async function answerOf(options) {
  const miniflare = new Miniflare(options);
  try {
    const response = await miniflare.dispatchFetch('http://localhost/');
    if (!response.ok) throw new Error(await response.text());
    return await response.json();
  } finally {
    await miniflare.dispose();
  }
}
