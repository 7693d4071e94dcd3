// Follows docs/quick-start.md: writes the files that each section names into an empty folder where the package is
// installed, and runs them in Node, in a page that Vite builds, and in workerd.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { Miniflare } from 'miniflare';
import { build } from 'vite';
import { launchChromium } from '../support/chromium.mjs';
import { root } from '../../scripts/setup/run.mjs';
import { consumer } from '../support/consumer.mjs';
import { serveFolder } from '../support/serve-folder.mjs';
import { textOf } from '../js/examples-in-docs.mjs';

const run = promisify(execFile);
const wrangler = join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js');
const page = textOf('docs/quick-start.md');

/** Writes the files of the section with this heading into an empty folder, and returns the folder. */
function folderOf(heading) {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const folder = join(consumer, 'quick-start', heading.toLowerCase().replaceAll(' ', '-'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const files = [...section.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm)];
  assert.ok(files.length > 0, heading);
  for (const [, name, text] of files) writeFileSync(join(folder, name), text);
  return { folder, section };
}

test('the section on Node prints what it says', async () => {
  const { folder, section } = folderOf('Node');
  const { stdout } = await run(process.execPath, ['chat.mjs'], { cwd: folder });
  const [, promised] = /^```text\n(.*)\n```$/m.exec(section);
  assert.equal(stdout.trimEnd().split('\n').at(-1), promised);
  assert.match(stdout, /sky clear/);
  assert.match(stdout, /^Tokens: \d+$/m);
});

test('the page answers after a press of its button', { timeout: 120_000 }, async (t) => {
  const { folder } = folderOf('A page with Vite');
  await build({ root: folder, configFile: false, logLevel: 'error' });
  const server = await serveFolder(join(folder, 'dist'));
  t.after(() => server.close());
  const browser = await launchChromium();
  t.after(() => browser.close());
  const tab = await browser.newPage();
  const errors = [];
  tab.on('pageerror', (error) => errors.push(String(error)));
  await tab.goto(server.url, { waitUntil: 'load' });
  await tab.click('button');
  await tab.waitForFunction(
    () => document.querySelector('pre').textContent.includes('emulator of prompt-strata'),
    undefined,
    { timeout: 30_000 },
  );
  assert.deepEqual(errors, []);
});

test('the Worker streams an answer', { timeout: 120_000 }, async (t) => {
  const { folder, section } = folderOf('A Cloudflare Worker');
  const args = [wrangler, 'deploy', '--dry-run', '--outdir', 'out'];
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false' };
  await run(process.execPath, args, { cwd: folder, env });
  assert.ok(existsSync(join(folder, 'out', 'worker.js')));
  const worker = new Miniflare({
    modulesRoot: join(folder, 'out'),
    modulesRules: [{ type: 'CompiledWasm', include: ['**/*.wasm'] }],
    scriptPath: join(folder, 'out', 'worker.js'),
    modules: true,
    compatibilityDate: '2026-04-01',
  });
  t.after(() => worker.dispose());
  const response = await worker.dispatchFetch('http://localhost/', {
    method: 'POST',
    body: 'Hello!',
  });
  const text = await response.text();
  // The pieces depend on the emulator; their form does not.
  const [, event, data] = /^```text\n(.*)\n(data: \{"type":"text","text":")/m.exec(section);
  assert.ok(text.startsWith(`${event}\n${data}`), text);
  assert.match(text, /^event: done$/m);
  assert.equal(
    await (await worker.dispatchFetch('http://localhost/')).text(),
    'Send a message with POST.\n',
  );
});
