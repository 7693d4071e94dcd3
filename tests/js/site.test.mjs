// Tests what makes the site of the documentation strict: its check of links, its Markdown and its list of pages.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { linkFaults, linkedFiles } from '../../docs/.vitepress/check-links.mjs';
import { fileOfPage, groupedPages, targetOnSite, titleOf } from '../../docs/.vitepress/pages.mjs';

function siteWith(t, files) {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

test('finds links to missing pages, files and anchors, below any base', (t) => {
  const folder = siteWith(t, {
    'index.html':
      '<h1 id="a.b">A</h1><a href="#a.b">1</a><a href="#c">2</a><a href="/x/sub/">3</a><a href="./sub/p.html#d">4</a>' +
      '<a href="/x/sub/p.html#e">5</a><img src="no.svg"><a href="/x/files/src/f.h.txt">6</a>' +
      '<a href="https://example.com/none">7</a><script src="/x/app.js"></script><script>var a = ` href="gone"`</script>',
    'sub/index.html': '<a href="../index.html#a.b">8</a><a href="p.html?q=1&amp;r#d">9</a>',
    'sub/p.html': '<h2 id="d">D</h2><a href="gone.html">10</a>',
    'app.js': '',
  });
  assert.deepEqual(linkFaults(folder, '/x/').sort(), [
    'index.html: #c',
    'index.html: /x/files/src/f.h.txt',
    'index.html: /x/sub/p.html#e',
    'index.html: no.svg',
    'sub/p.html: gone.html',
  ]);
  assert.deepEqual([...linkedFiles(folder, '/x/')], ['src/f.h']);
});

test('links to rules in the playground name rules of the catalogue', (t) => {
  const folder = siteWith(t, {
    'index.html':
      '<a href="/playground/index.html#rule/call.open">1</a><a href="/playground/index.html#rule/no.such">2</a>',
    'playground/index.html': '<main></main>',
  });
  assert.deepEqual(linkFaults(folder, '/'), ['index.html: /playground/index.html#rule/no.such']);
});

test('links lead from one page to another as they do between the files', () => {
  assert.equal(targetOnSite('index.md', 'docs/client.md#retries'), './client.md#retries');
  assert.equal(targetOnSite('index.md', 'docs/pictures/layers.svg'), './pictures/layers.svg');
  assert.equal(targetOnSite('index.md', 'LICENSE'), '/files/LICENSE.txt');
  assert.equal(targetOnSite('client.md', 'tools.md'), './tools.md');
  assert.equal(targetOnSite('client.md', '../README.md#limits'), './index.md#limits');
  assert.equal(targetOnSite('client.md', '#retries'), '#retries');
  assert.equal(
    targetOnSite('architecture.md', '../scripts/rooms.json'),
    '/files/scripts/rooms.json.txt',
  );
});

test('every page has a title and one place in the sidebar', () => {
  const pages = groupedPages().flatMap((group) => group.pages);
  assert.deepEqual(pages.toSorted(), Object.keys(fileOfPage).toSorted());
  for (const page of pages) assert.ok(titleOf(page).length > 3, page);
});
