// Why this file exists: the examples of README.md and docs/ must run, and print what they say.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { root } from '../../scripts/setup/run.mjs';

const run = promisify(execFile);
const folder = join(root, 'build', 'examples');
const documents = ['README.md', ...readdirSync(join(root, 'docs')).map((file) => `docs/${file}`)];

/** The ```js blocks of a document, and the lines that a comment at their end promises. */
function examplesIn(document) {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => ({
    code,
    promised: [...code.matchAll(/console\.log\(.*\n\/\/ (.*)$/gm)].map(([, line]) => line),
  }));
}

mkdirSync(folder, { recursive: true });
for (const document of documents.filter((file) => file.endsWith('.md'))) {
  examplesIn(document).forEach(({ code, promised }, index) => {
    test(`${document}, example ${index + 1}`, async () => {
      const file = join(folder, `${document.replaceAll('/', '-')}-${index + 1}.mjs`);
      writeFileSync(file, code);
      const { stdout } = await run(process.execPath, [file]);
      for (const line of promised) assert.ok(stdout.split('\n').includes(line), stdout);
    });
  });
}
