// Configures Vite for the playground. `npm start` builds and serves it; `npx vite` starts a development server.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type Rollup } from 'vite';
import { published } from './scripts/setup/published.mjs';
import { pageNotices } from './scripts/setup/page-notices.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const page = `${root}web/playground`;

// The editor sets style attributes. Images are those of answers.
const policy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self' https://generativelanguage.googleapis.com",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

// Only for builds: in development, Vite injects styles by script.
const contentSecurityPolicy: Plugin = {
  name: 'content-security-policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: policy },
      injectTo: 'head-prepend',
    },
  ],
};

// Lets the editor's package style-mod use a constructed style sheet in the page too, as it does in shadow roots: the
// policy allows no style elements.
const constructedStyleSheet: Plugin = {
  name: 'constructed-style-sheet',
  apply: 'build',
  transform(code, id) {
    if (!/\/style-mod\.js$/.test(id)) return undefined;
    const condition = '!root.head && root.adoptedStyleSheets';
    if (!code.includes(condition)) throw new Error(`style-mod has no condition ${condition}`);
    return { code: code.replace(condition, 'root.adoptedStyleSheets'), map: null };
  },
};

const sourceOf = (file: Rollup.OutputAsset | Rollup.OutputChunk) =>
  file.type === 'chunk' ? file.code : file.source;

// Tells the service worker which files the page consists of, and a version that changes with each of them.
const listFiles: Plugin = {
  name: 'list-files',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const worker = bundle['service-worker.js'];
      if (worker?.type !== 'chunk') throw new Error('the build has no service-worker.js');
      const hash = createHash('sha256');
      const others = Object.values(bundle).filter((file) => file !== worker);
      others.sort((a, b) => (a.fileName < b.fileName ? -1 : 1));
      for (const file of others) hash.update(file.fileName).update(sourceOf(file));
      const names = JSON.stringify(others.map(({ fileName }) => fileName));
      worker.code = worker.code
        .replace(/(["'`])__VERSION__\1/, () => JSON.stringify(hash.digest('hex').slice(0, 16)))
        .replace(/(["'`])__FILES__\1/, () => JSON.stringify(names));
    },
  },
};

export default defineConfig({
  root: page,
  // Relative URLs, so that any folder can serve the page.
  base: './',
  define: { PUBLISHED: JSON.stringify(published()) },
  server: { host: '127.0.0.1', fs: { allow: [root] } },
  plugins: [contentSecurityPolicy, constructedStyleSheet, pageNotices, listFiles],
  worker: { format: 'es' },
  build: {
    outDir: `${root}build/playground`,
    emptyOutDir: true,
    target: 'es2022',
    // The policy does not allow data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: {
        index: `${page}/index.html`,
        'service-worker': `${page}/service-worker.ts`,
      },
      output: {
        // The name of a service worker must not change.
        entryFileNames: ({ name }) =>
          name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js',
      },
    },
  },
});
