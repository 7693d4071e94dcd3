// Checks that the commands and files that the documentation names exist.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root } from '../../scripts/setup/run.mjs';
import { parts } from '../verify/parts.mjs';
import { documents, textOf } from './examples-in-docs.mjs';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

for (const document of documents) {
  test(`${document}: every script and part that it names exists`, () => {
    const text = textOf(document);
    for (const [, script] of text.matchAll(/`npm run ([\w:-]+)/g))
      assert.ok(script in scripts, script);
    for (const [, part] of text.matchAll(/npm run verify -- ([\w-]+)/g))
      assert.ok(part in parts, part);
  });
}

test('CONTRIBUTING.md names files that exist, and all parts of verify', () => {
  const text = textOf('CONTRIBUTING.md');
  const files = [...text.matchAll(/(?<![\w/.-])(?:src|tests|scripts|docs|web)\/[\w./-]+\.\w+/g)];
  assert.ok(files.length > 10);
  for (const [file] of files) assert.ok(existsSync(join(root, file)), file);
  for (const part of Object.keys(parts))
    assert.ok(text.includes(`\`npm run verify -- ${part}\``), part);
});
