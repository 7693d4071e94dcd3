// Writes llms.txt (https://llmstxt.org): what a language model should read of this site, in which order.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileOfPage, groupedPages, titleOf } from './pages.mjs';
import { root } from '../../scripts/setup/run.mjs';

// The first sentence under a page's title, without marks of links.
function aboutPage(page) {
  const text = readFileSync(join(root, fileOfPage[page]), 'utf8');
  const [, paragraph = ''] = /^# .+\n+((?:(?!```|[#|<>]).+\n)+)/m.exec(text) ?? [];
  const plain = paragraph.replaceAll('\n', ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return (/^.*?[.:](?= |$)/.exec(plain)?.[0] ?? plain).trim();
}

const linkTo = (page) => {
  const about = aboutPage(page);
  return `- [${titleOf(page)}](/${page.replace(/\.md$/, '.html')})${about && `: ${about}`}`;
};

/** Returns the text of llms.txt. Its addresses are relative to the root of the site. */
export function llmsText() {
  const { description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const groups = groupedPages().map(
    ({ group, pages }) => `## ${group}\n\n${pages.map(linkTo).join('\n')}\n`,
  );
  const rules =
    'Every rule has a page below /rules/, such as /rules/signature.missing.html. /diagnostics.html lists all.';
  return [`# prompt-strata\n\n> ${description}\n\n${rules}\n`, ...groups].join('\n');
}
