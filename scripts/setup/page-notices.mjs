// A plugin of Vite that puts the notices of everything in a page's bundle beside the page.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/** The file, relative to the page. */
export const noticesFile = 'third-party-notices.txt';

const rule = '-'.repeat(80);

/** Returns the folder of the package that a module belongs to, or undefined for modules of this project. */
const packageOf = (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0];

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[sc]e/i.test(entry));
  if (!file) throw new Error(`${name} has no file with its license`);
  const text = readFileSync(join(folder, file), 'utf8').trim();
  return `${rule}\n${name} ${version} (${license})\n${rule}\n\n${text}\n`;
}

/** Returns the notices of the packages that modules come from, and those of the package prompt-strata. */
function noticesOf(modules) {
  const folders = [...new Set(modules.map(packageOf).filter(Boolean))].sort();
  const own = readFileSync(join(root, 'dist', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  const intro = 'This page also contains these libraries.\n';
  return [own, rule, '\n', intro, '\n', folders.map(noticeOf).join('\n')].join('');
}

/** Emits the notices and names them in the page. */
export const pageNotices = {
  name: 'page-notices',
  apply: 'build',
  transformIndexHtml: () => [
    { tag: 'link', attrs: { rel: 'license', href: `./${noticesFile}` }, injectTo: 'head' },
  ],
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap(({ modules = {} }) => Object.keys(modules));
    this.emitFile({ type: 'asset', fileName: noticesFile, source: noticesOf(modules) });
  },
};
