// Reads prompt files from a disk, Workers KV, and a server; each reports missing and unreadable files in the same way.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { Miniflare } from 'miniflare';
import { fetchReader, loadTemplates, readFiles } from 'prompt-strata/templates';

const soul = 'Kind,\r\nand brief. 🦀';
const names = ['SOUL.md', 'IDENTITY.md', 'USER.md'];

async function compiledWith(reader) {
  const files = await readFiles(reader, names);
  const { stable, manifest } = (await loadTemplates()).compile({ files, limits: { per_file: 11 } });
  assert.ok(stable.includes('### SOUL.md (SOUL.md)\nKind,\nand b'));
  return [
    manifest.sources.map(({ file, status }) => `${file} ${status}`),
    manifest.diagnostics.map(({ code }) => code),
  ];
}

const missing = [
  ['SOUL.md truncated', 'IDENTITY.md missing', 'USER.md missing'],
  ['bootstrap.missing', 'bootstrap.missing', 'bootstrap.truncated'],
];
const unreadable = [
  ['SOUL.md truncated', 'IDENTITY.md missing', 'USER.md unreadable'],
  ['bootstrap.missing', 'bootstrap.unreadable', 'bootstrap.truncated'],
];

test('reads files from a disk', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'strata-prompt-'));
  t.after(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, 'SOUL.md'), soul);
  const disk = (path) => readFile(join(root, path), 'utf8');
  assert.deepEqual(await compiledWith(disk), missing);
  mkdirSync(join(root, 'USER.md'));
  assert.deepEqual(await compiledWith(disk), unreadable);
});

test('reads files from Workers KV', async (t) => {
  const script = 'export default { fetch: () => new Response() }';
  const worker = new Miniflare({ modules: true, script, kvNamespaces: ['PROMPTS'] });
  t.after(() => worker.dispose());
  const prompts = await worker.getKVNamespace('PROMPTS');
  await prompts.put('SOUL.md', soul);
  assert.deepEqual(await compiledWith((path) => prompts.get(path)), missing);
});

test('reads files from a server', async (t) => {
  const status = { '/p/SOUL.md': 200, '/p/USER.md': 500 };
  const server = createServer((request, response) => {
    response.writeHead(status[request.url] ?? 404).end(soul);
  });
  t.after(() => server.close());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${server.address().port}/p/`;
  assert.deepEqual(await compiledWith(fetchReader(base)), unreadable);
});
