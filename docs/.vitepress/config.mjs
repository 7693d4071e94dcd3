// Configures VitePress for the site of the documentation. `npm run docs` collects its pages in build/pages first.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { anchorOf } from './anchors.mjs';
import { apiGroups } from './api-sidebar.mjs';
import { accessibleTheme } from './accessible-theme.mjs';
import { forSite } from './markdown.mjs';
import { ruleGroups } from './rules-page.mjs';
import { published } from '../../scripts/setup/published.mjs';
import { groupedPages, pagesFolder, titleOf } from './pages.mjs';
import { root } from '../../scripts/setup/run.mjs';

const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { description, version } = project;
const { repository } = published(project);
const base = process.env.SITE_BASE ?? '/';
const linkTo = (page) => `/${page.replace(/(index)?\.md$/, '')}`;

const guides = groupedPages().map(({ group, pages }) => ({
  text: group,
  items: pages.map((page) => ({
    text: page === 'index.md' ? 'Overview' : titleOf(page),
    link: linkTo(page),
  })),
}));

export default defineConfig({
  title: 'prompt-strata',
  description,
  lang: 'en',
  base,
  head: [['link', { rel: 'icon', href: `${base}icon.svg` }]],
  srcDir: pagesFolder,
  outDir: join(root, 'build', 'site'),
  cacheDir: join(root, 'build', 'vitepress'),
  markdown: {
    // Their defaults have too little contrast.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: anchorOf },
    // Braces in the pages are text.
    attrs: { disable: true },
    config: forSite,
  },
  vite: { plugins: [accessibleTheme], build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    nav: [
      { text: 'Quick start', link: '/quick-start' },
      { text: 'Cookbook', link: '/cookbook' },
      { text: 'API', link: '/api/' },
      { text: 'Diagnostics', link: '/diagnostics' },
      // Not a page of VitePress, so its router must not open it.
      { text: 'Playground', link: '/playground/index.html', target: '_self' },
    ],
    socialLinks: repository ? [{ icon: 'github', link: repository }] : [],
    sidebar: { '/': guides, '/api/': apiGroups(), '/rules/': ruleGroups() },
    outline: [2, 3],
    // A section must contain all words.
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions: { combineWith: 'AND' } } },
    },
    footer: { message: `prompt-strata ${version}, MIT License` },
  },
});
