// Bundles the files of the dashboard into one module, so that the Worker and the command can serve them without a file
// system: #generated/dashboard-files.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const web = fileURLToPath(new URL('..', import.meta.url));
const textOf = (path) => readFileSync(web + path, 'utf8');

async function script() {
  const { outputFiles } = await build({
    ...{ absWorkingDir: web, entryPoints: ['dashboard/main.tsx'], bundle: true, write: false },
    ...{ format: 'esm', target: 'es2022', charset: 'utf8', logLevel: 'silent', minify: true },
    ...{ jsx: 'automatic', jsxImportSource: 'preact' },
  });
  return outputFiles[0].text;
}

/**
 * Returns the files of the dashboard by path, as `{ type, text }`.
 * @param {{ code: string, texts: string[] }[]} rules what the page says about each code of a finding
 */
export async function dashboardFiles(rules) {
  const texts = Object.fromEntries(rules.map((rule) => [rule.code, rule.texts]));
  return {
    '/dashboard': { type: 'text/html', text: textOf('dashboard/index.html') },
    '/dashboard/main.js': { type: 'text/javascript', text: await script() },
    '/dashboard/style.css': {
      type: 'text/css',
      text: textOf('ui/base.css') + textOf('dashboard/dashboard.css'),
    },
    '/dashboard/icon.svg': { type: 'image/svg+xml', text: textOf('playground/icon.svg') },
    '/dashboard/rules.json': { type: 'application/json', text: JSON.stringify(texts) },
  };
}
