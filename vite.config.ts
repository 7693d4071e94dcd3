// The playground: `npm start` builds and serves it, `npx vite` serves it from its sources.
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));

const policy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self' https://generativelanguage.googleapis.com",
  "style-src 'self'",
].join('; ');

// Not in development: Vite puts styles into the page by script there.
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

export default defineConfig({
  root: `${root}web/playground`,
  // It may be served from any folder.
  base: './',
  server: { host: '127.0.0.1', fs: { allow: [root] } },
  plugins: [contentSecurityPolicy],
  build: {
    outDir: `${root}build/playground`,
    emptyOutDir: true,
    target: 'es2022',
    // The policy has no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
