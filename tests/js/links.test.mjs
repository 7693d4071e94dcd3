// Checks that every internal link of README.md and docs/ names a file of the repository, and every anchor a heading.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join, normalize } from 'node:path';
import test from 'node:test';
import { root } from '../../scripts/setup/run.mjs';
import { anchorOf } from '../../docs/.vitepress/anchors.mjs';
import { ruleOfAnchor } from '../../docs/.vitepress/pages.mjs';
import { withTables } from '../../docs/.vitepress/tables.mjs';
import { documents, textOf } from './examples-in-docs.mjs';

/** Returns Markdown without its blocks of code. */
const proseOf = (text) => text.replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1$/gm, '');

/** Returns the text that a heading shows: without the marks of code, emphasis and links. */
const shownText = (heading) =>
  heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]+>/g, '')
    .replace(/[`*]/g, '');

/** Returns all anchors of a page; a repeated heading gets a number. */
export function anchorsOf(text) {
  const counts = new Map();
  const headings = [...proseOf(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => {
    const anchor = anchorOf(shownText(heading));
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
  const named = [...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name]) => name);
  return new Set([...headings, ...named]);
}

/** Returns the targets of the links and pictures of a page that lead to no other site. */
export function internalLinksOf(text) {
  const prose = proseOf(text).replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, (code) =>
    code.includes('](') ? '' : code,
  );
  const inline = [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)];
  const references = [...prose.matchAll(/^\[[^\]]+\]: (\S+)/gm)];
  const attributes = [...prose.matchAll(/<(?:a|img)[^>]*? (?:href|src)="([^"]+)"/g)];
  return [...inline, ...references, ...attributes]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z][a-z+.-]*:|^\/\//i.test(target));
}

/** Returns what is wrong with a link of a document, or undefined. */
function faultOf(document, target) {
  const [path, anchor] = target.split('#');
  const file = path === '' ? document : normalize(join(dirname(document), decodeURI(path)));
  if (file.startsWith('..') || !existsSync(join(root, file))) return `${target}: no such file`;
  if (anchor === undefined || extname(file) !== '.md') return undefined;
  // The site adds the rules; in the repository, such a link opens their page.
  const anchors = anchorsOf(withTables(readFileSync(join(root, file), 'utf8')));
  const isRule = file === 'docs/diagnostics.md' && ruleOfAnchor.has(`#${anchor}`);
  return isRule || anchors.has(decodeURI(anchor))
    ? undefined
    : `${target}: ${file} has no such heading`;
}

test('finds links and anchors as GitHub does', () => {
  const text =
    '# A `b` (c), d\n## E\n## E\n### [F](x.md) & *g*\n' +
    'See [h](i.md#j), [k](#l "m"), ![n](o.svg), [p](https://q.com), `[r](s)`.\n```\n# t\n[u](v)\n```\n[w]: x.md\n';
  assert.deepEqual([...anchorsOf(text)], ['a-b-c-d', 'e', 'e-1', 'f--g']);
  assert.deepEqual(internalLinksOf(text), ['x.md', 'i.md#j', '#l', 'o.svg', 'x.md']);
});

for (const document of documents) {
  test(`${document}: every internal link leads somewhere`, () => {
    const faults = internalLinksOf(textOf(document)).map((target) => faultOf(document, target));
    assert.deepEqual(
      faults.filter((fault) => fault !== undefined),
      [],
    );
  });
}

test('the pages have internal links', () => {
  const count = documents.flatMap((document) => internalLinksOf(textOf(document))).length;
  assert.ok(count > 100, String(count));
});
