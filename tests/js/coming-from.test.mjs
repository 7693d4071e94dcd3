// Runs both sides of the pages docs/coming-from-*.md against one emulator behind an HTTP server, and compares what they
// print and what they send. The other clients are optional: a test without its packages is skipped and names them.
// STRATA_PEERS names another folder whose node_modules holds them.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createEmulator } from 'prompt-strata/testing';
import { serve } from 'prompt-strata/node';
import { root } from '../../scripts/setup/run.mjs';
import { textOf } from './examples-in-docs.mjs';

const run = promisify(execFile);
const redirect = fileURLToPath(new URL('redirect-to-emulator.mjs', import.meta.url));
const peers = process.env.STRATA_PEERS ?? root;

const sides = [
  {
    page: 'docs/coming-from-google-genai.md',
    language: 'js @google/genai',
    packages: ['@google/genai', 'zod'],
    sent: { signatures: 2, result: { output: { city: 'Oslo', celsius: 4, sky: 'clear' } } },
  },
  {
    page: 'docs/coming-from-ai-sdk.md',
    language: 'js ai',
    packages: ['ai', '@ai-sdk/google', 'zod'],
    sent: {
      signatures: 2,
      result: { name: 'get_weather', content: { city: 'Oslo', celsius: 4, sky: 'clear' } },
    },
  },
  {
    page: 'docs/coming-from-langchain.md',
    language: 'js @langchain/google',
    packages: ['@langchain/core', '@langchain/google', 'zod'],
    sent: {
      signatures: 1,
      result: { result: '{"city":"Oslo","celsius":4,"sky":"clear"}' },
      extracts: true,
    },
  },
];

const emulator = createEmulator({ record: true });
let server;
after(() => server.close());

/** Returns the first block of a page with this language that asks for an object. */
function blockOf(page, language) {
  const blocks = [...textOf(page).matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)];
  const block = blocks.find(([, name, code]) => name === language && code.includes('z.object'));
  assert.ok(block, `${page}: ${language}`);
  return block[2];
}

/** Runs a program below `base` with a key, and returns what it prints and the last body that it sends. */
async function runBlock(base, name, code) {
  const folder = join(base, 'build', 'coming-from');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, code);
  const keys = ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'];
  const env = {
    PATH: process.env.PATH,
    EMULATOR_URL: server.url,
    ...Object.fromEntries(keys.map((key) => [key, 'a-key'])),
  };
  emulator.requests.length = 0;
  const { stdout } = await run(process.execPath, ['--import', redirect, file], { env });
  const [text, object, turns, ...more] = stdout.trimEnd().split('\n');
  assert.deepEqual(more, [], stdout);
  return { text, object, turns, body: emulator.requests.at(-1).body };
}

/** Returns what a body says of signatures, the tool's result and the demanded object. */
function summaryOf({ contents, tools, generationConfig }) {
  const parts = contents.flatMap((content) => content.parts);
  const declared = tools.flatMap(({ functionDeclarations }) => functionDeclarations);
  return {
    signatures: parts.filter(({ thoughtSignature }) => thoughtSignature).length,
    result: parts.find(({ functionResponse }) => functionResponse).functionResponse.response,
    extracts: declared.some(({ name }) => name === 'extract'),
    hasSchema: generationConfig?.responseJsonSchema !== undefined,
  };
}

/** Returns our block with a key instead of the emulator, as its comment says. */
function withKey(code) {
  const option = /emulator: true, \/\/ or: (apiKey: .*)/;
  assert.match(code, option);
  return code.replace(option, '$1,');
}

let ours;
before(async () => {
  server = await serve(emulator);
  const blocks = sides.map(({ page }) => blockOf(page, 'js'));
  assert.equal(new Set(blocks).size, 1, 'every page shows the same program');
  ours = await runBlock(root, 'prompt-strata', withKey(blocks[0]));
});

test('our side runs a tool and gets an object', () => {
  assert.match(ours.text, /Oslo.*4.*clear/);
  assert.match(ours.object, /^\{ city: '.+', sights: \[ '.+' \] \}$/);
  assert.equal(ours.turns, '6');
  assert.deepEqual(summaryOf(ours.body), {
    signatures: 2,
    result: { output: { city: 'Oslo', celsius: 4, sky: 'clear' } },
    extracts: false,
    hasSchema: true,
  });
});

for (const { page, language, packages, sent } of sides) {
  const missing = packages.filter((name) => !existsSync(join(peers, 'node_modules', name)));
  const skip = missing.length > 0 && `not installed: ${missing.join(', ')}`;
  test(`${page}: both sides print and send what the page says`, { skip }, async () => {
    const theirs = await runBlock(peers, packages[0].replaceAll('/', '-'), blockOf(page, language));
    assert.match(theirs.text, /Oslo.*4.*clear/);
    assert.equal(theirs.object, ours.object);
    assert.equal(theirs.turns, ours.turns);
    const { extracts = false } = sent;
    assert.deepEqual(summaryOf(theirs.body), { ...sent, extracts, hasSchema: !extracts });
  });
}
