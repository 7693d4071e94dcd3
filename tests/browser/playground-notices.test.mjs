// The built playground names every library that its code imports, with its license.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { noticesFile } from '../../scripts/setup/page-notices.mjs';
import { buildPlayground } from '../../scripts/setup/playground.mjs';
import { root } from '../../scripts/setup/run.mjs';
import { filesBelow } from '../../scripts/setup/stamp.mjs';

const textOf = (path) => readFileSync(join(root, path), 'utf8');

/** Returns the packages that the code of the page imports, except this one. */
function importedPackages() {
  const folders = ['web/playground', 'web/ui'];
  const texts = folders.flatMap((folder) => filesBelow(folder, ['.ts', '.tsx'])).map(textOf);
  const names = texts.flatMap((text) =>
    [...text.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from '([^'.#][^']*)'/gm)].map(
      ([, name]) => name,
    ),
  );
  const packages = names.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)[0]);
  return [...new Set(packages)].filter((name) => name !== 'prompt-strata');
}

test('the page has the notices of what it bundles', async () => {
  await buildPlayground();
  const notices = textOf(`build/playground/${noticesFile}`);
  const names = importedPackages();
  assert.ok(names.includes('markdown-it') && names.includes('@codemirror/state'));
  for (const name of names) {
    const { version, license } = JSON.parse(textOf(`node_modules/${name}/package.json`));
    assert.ok(notices.includes(`\n${name} ${version} (${license})\n`), name);
  }
  assert.ok(notices.includes(textOf('dist/THIRD-PARTY-NOTICES.txt').trimEnd()));
  assert.match(textOf('build/playground/index.html'), /<link rel="license" href="\.\/third-party-/);
});
