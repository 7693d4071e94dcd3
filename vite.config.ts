// Configures Vite for the playground. `npm start` builds and serves it; `npx vite` starts a development server.
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));

const policy = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self' https://generativelanguage.googleapis.com",
  "style-src 'self'",
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

export default defineConfig({
  root: `${root}web/playground`,
  // Relative URLs, so that any folder can serve the page.
  base: './',
  server: { host: '127.0.0.1', fs: { allow: [root] } },
  plugins: [contentSecurityPolicy],
  build: {
    outDir: `${root}build/playground`,
    emptyOutDir: true,
    target: 'es2022',
    // The policy does not allow data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
