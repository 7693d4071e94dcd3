// Builds and serves the site of the documentation: the pages of docs/, the API reference and the playground.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { linkedFiles, linkFaults } from './check-links.mjs';
import { frontPage, frontPicture } from './front-page.mjs';
import { llmsText } from './llms.mjs';
import { fileOfPage, pagesFolder } from './pages.mjs';
import { writeRulePages } from './rules-page.mjs';
import { published } from '../../scripts/setup/published.mjs';
import { SetupError, root, run } from '../../scripts/setup/run.mjs';
import {
  filesBelow,
  hashFiles,
  isFresh,
  packageSources,
  setStamp,
} from '../../scripts/setup/stamp.mjs';

/** The folder of the finished site. */
export const siteFolder = join(root, 'build', 'site');

function inputs() {
  const folders = ['docs', 'src/catalogue', 'build/playground'];
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.types.json'];
  const files = [...folders.flatMap((folder) => filesBelow(folder)), ...packageSources()];
  return [...files, ...settings, ...Object.values(fileOfPage), 'docs/.vitepress/site.mjs'];
}

async function collectPages() {
  rmSync(pagesFolder, { recursive: true, force: true });
  mkdirSync(pagesFolder, { recursive: true });
  cpSync(join(root, 'docs', 'pictures'), join(pagesFolder, 'pictures'), { recursive: true });
  const { withTables, writePictures } = await import('./tables.mjs');
  const { fill } = published();
  for (const [page, file] of Object.entries(fileOfPage)) {
    const text = fill(withTables(readFileSync(join(root, file), 'utf8')));
    writeFileSync(join(pagesFolder, page), page === 'index.md' ? frontPage(text) : text);
  }
  writeRulePages(pagesFolder);
  await writePictures();
  copy(join(root, 'docs', '.vitepress', 'icon.svg'), join(pagesFolder, 'public', 'icon.svg'));
  copy(join(root, 'docs', frontPicture), join(pagesFolder, 'public', frontPicture));
  writeFileSync(join(pagesFolder, 'public', 'llms.txt'), llmsText());
  const { writeApi } = await import('./api.mjs');
  await writeApi();
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true });
}

// VitePress's own check of links knows pages, but neither anchors nor other files.
function checkLinks(base) {
  const faults = linkFaults(siteFolder, base);
  if (faults.length > 0) throw new SetupError(faults.join('\n'));
}

/**
 * Builds the site into build/site, unless it is up to date. The playground must have been built.
 * @param {string} [base] the path below which the site will be served, such as `/prompt-strata/`
 * @throws SetupError if a link leads nowhere or a doc comment has a fault
 */
export async function buildSite(base = '/') {
  const hash = `${base} ${hashFiles(inputs())}`;
  if (isFresh('site', hash) && existsSync(join(siteFolder, 'index.html'))) return;
  await collectPages();
  const vitepress = join('node_modules', 'vitepress', 'bin', 'vitepress.js');
  await run(process.execPath, [vitepress, 'build', 'docs'], { env: { SITE_BASE: base } });
  copy(join(root, 'build', 'playground'), join(siteFolder, 'playground'));
  for (const file of linkedFiles(siteFolder, base))
    copy(join(root, file), join(siteFolder, 'files', `${file}.txt`));
  checkLinks(base);
  setStamp('site', hash);
}

/**
 * Serves build/site, on the next free port if the given one is in use.
 * @param {{ host?: string, port?: number, base?: string }} [options]
 * @returns its URLs, and a function that stops the server
 */
export async function serveSite({ base = '/', ...options } = {}) {
  const { preview } = await import('vite');
  const server = await preview({
    configFile: false,
    root,
    base,
    appType: 'mpa',
    logLevel: 'warn',
    build: { outDir: siteFolder },
    preview: { host: '127.0.0.1', ...options },
  }).catch((error) => {
    throw new SetupError(error.message);
  });
  const { local, network } = server.resolvedUrls;
  return { urls: [...local, ...network], close: () => server.close() };
}
