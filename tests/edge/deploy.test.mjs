// Tests `npm run deploy -- --dry-run`: what it bundles and binds, without an account and without the network.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { compress, modules } from '../../scripts/setup/package.mjs';
import { root, run } from '../../scripts/setup/run.mjs';

const deploy = (...args) => run(process.execPath, ['scripts/deploy.mjs', ...args]);

// What Workers Free accepts, in KiB of gzip.
const sizeLimit = 3 * 1024;

test('the dry run bundles the Worker with its objects, its page and no secret', async () => {
  const output = await deploy('--dry-run');
  assert.match(output, /Nothing was deployed/);
  const [, gzip] = /Total Upload: .* gzip: ([\d.]+) KiB/.exec(output);
  assert.ok(Number(gzip) < sizeLimit, `${gzip} KiB`);
  for (const [binding, about] of [
    ['env.THREADS (ThreadObject)', 'Durable Object'],
    ['env.CALLERS (CallerObject)', 'Durable Object'],
    ['env.METRICS (MetricsObject)', 'Durable Object'],
    ['env.SIGNATURES (SignatureMemoryObject)', 'Durable Object'],
    ['env.ASSETS', 'Assets'],
  ]) {
    const line = output.split('\n').find((each) => each.includes(binding)) ?? '';
    assert.ok(line.includes(about), `${binding} in ${output}`);
  }
  // A deployment is closed until its secrets are set.
  for (const name of ['EMULATOR', 'SHOW_REQUESTS', 'GEMINI_API_KEY', 'CALLER_KEY'])
    assert.ok(!output.includes(name), `${name} in ${output}`);
});

test('the bundle of the dry run exports a class for each binding, and the page is complete', () => {
  const script = readFileSync(join(root, 'build', 'deploy', 'index.js'), 'utf8');
  const [exported] = /export \{[^}]*\};?\s*(?:\/\/.*\s*)?$/.exec(script);
  for (const name of ['ThreadObject', 'CallerObject', 'MetricsObject', 'SignatureMemoryObject'])
    assert.match(exported, new RegExp(`\\b${name}\\b`));
  const folder = join(root, 'build', 'playground');
  const page = readdirSync(folder, { recursive: true });
  assert.ok(page.includes('index.html'), page.join(' '));
  const scripts = page
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  // The scripts contain the modules of the package, compressed.
  for (const name of modules) {
    const packed = compress(readFileSync(join(root, 'dist', `${name}.wasm`))).toString('base64');
    assert.ok(
      scripts.some((script) => script.includes(packed)),
      name,
    );
  }
});

test('prints the usage for an unknown option, and an error for an unknown environment', async () => {
  await assert.rejects(deploy('--nope'), /Unknown option '--nope'\n\nUsage: npm run deploy/);
  await assert.rejects(deploy('--dry-run', '--env', 'nowhere'), /has no environment "nowhere"/);
});
