// Lists the pages of the site: which file of the repository each of them shows, their titles and their order.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { anchorOf } from './anchors.mjs';
import { root } from '../../scripts/setup/run.mjs';
import { rules } from '../../src/catalogue/rules.mjs';

/** The folder of the pages from which VitePress builds the site. */
export const pagesFolder = join(root, 'build', 'pages');

const docs = readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md'));

/** The file of each page, by the page's path below the root of the site. */
export const fileOfPage = Object.fromEntries([
  ['index.md', 'README.md'],
  ['changelog.md', 'CHANGELOG.md'],
  ['contributing.md', 'CONTRIBUTING.md'],
  ...docs.map((file) => [file, `docs/${file}`]),
]);

const pageOfFile = Object.fromEntries(
  Object.entries(fileOfPage).map(([page, file]) => [file, page]),
);

/** The rule that each anchor of the diagnostics names: `#callopen`, as GitHub would name a heading. */
export const ruleOfAnchor = new Map(rules.map(({ code }) => [`#${anchorOf(code)}`, code]));

/**
 * Returns where a relative link or picture of a page leads on the site. What is no page is found at its path: the
 * pictures below pictures/, any other file as text below files/.
 */
export function targetOnSite(page, target) {
  const [, path, rest] = /^([^?#]*)(.*)$/.exec(target);
  const own = fileOfPage[page];
  const file = path === '' ? own : posix.normalize(posix.join(dirname(own), path));
  const rule = file === 'docs/diagnostics.md' && ruleOfAnchor.get(rest);
  if (rule) return `./rules/${rule}.md`;
  if (path === '') return target;
  if (pageOfFile[file]) return `./${pageOfFile[file]}${rest}`;
  if (file.startsWith('docs/pictures/')) return `./${file.slice('docs/'.length)}`;
  return `/files/${file}.txt`;
}

/** Returns the title of a page: its first heading, without marks of code. */
export function titleOf(page) {
  const text = readFileSync(join(root, fileOfPage[page]), 'utf8');
  return /^# (.+)$/m.exec(text)[1].replaceAll('`', '');
}

const comingFrom = docs.filter((file) => file.startsWith('coming-from-'));

// A page of docs/ that no group names is a guide.
const groups = {
  Start: ['index.md', 'quick-start.md', 'cookbook.md', ...comingFrom],
  Guides: [
    'conversation.md',
    'usage.md',
    'citations.md',
    'telemetry.md',
    'fallback.md',
    'client.md',
    'tools.md',
    'prompts.md',
    'compression.md',
    'caching.md',
    'implicit-caching.md',
    'repair.md',
    'import.md',
    'interactions.md',
    'ci.md',
    'coding-agents.md',
    'SKILL.md',
    'emulator.md',
    'worker.md',
    'own-worker.md',
    'threads.md',
    'remote-thread.md',
    'next-and-react.md',
    'deploy.md',
    'container.md',
  ],
  Reference: [
    'cli.md',
    'diagnostics.md',
    'models.md',
    'typescript.md',
    'bundlers.md',
    'names.md',
    'runtimes.md',
    'templates-deviations.md',
    'violations.md',
  ],
  Project: [
    'contributing.md',
    'architecture.md',
    'benchmarks.md',
    'verification.md',
    'changelog.md',
  ],
};

/** Returns the groups of pages, in the order in which the site lists them. */
export function groupedPages() {
  const named = new Set(Object.values(groups).flat());
  const others = docs.filter((file) => !named.has(file));
  return Object.entries(groups).map(([group, pages]) => ({
    group,
    pages: group === 'Guides' ? [...pages, ...others] : pages,
  }));
}
