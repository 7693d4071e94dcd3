// Bundles the files of the dashboard into one module, so that the Worker and the command can serve them without a file
// system: #generated/dashboard-files.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const web = fileURLToPath(new URL('..', import.meta.url));
const textOf = (path) => readFileSync(web + path, 'utf8');

async function script() {
  const { outputFiles } = await build({
    ...{ absWorkingDir: web, entryPoints: ['dashboard/main.ts'], bundle: true, write: false },
    ...{ format: 'esm', target: 'es2022', charset: 'utf8', logLevel: 'silent' },
  });
  return outputFiles[0].text;
}

const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => signs[sign]);
const ruleSection = ({ code, texts }) => `      <section class="rule" id="${escaped(code)}">
        <h2>${escaped(code)}</h2>
${texts.map((text) => `        <p>${escaped(text)}</p>`).join('\n')}
      </section>`;

const rulesPage = (rules) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>prompt-strata rules</title>
    <link rel="icon" href="./icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="./style.css" />
  </head>
  <body>
    <header>
      <img src="./icon.svg" alt="" width="28" height="28" />
      <h1>Rules</h1>
      <p><a href="../dashboard">Back to the dashboard</a></p>
    </header>
    <main>
${rules.map(ruleSection).join('\n')}
    </main>
  </body>
</html>
`;

/**
 * Returns the files of the dashboard by path, as `{ type, text }`.
 * @param {{ code: string, texts: string[] }[]} rules what the page says about each code of a finding
 */
export async function dashboardFiles(rules) {
  return {
    '/dashboard': { type: 'text/html', text: textOf('dashboard/index.html') },
    '/dashboard/main.js': { type: 'text/javascript', text: await script() },
    '/dashboard/style.css': {
      type: 'text/css',
      text: textOf('ui/base.css') + textOf('dashboard/dashboard.css'),
    },
    '/dashboard/icon.svg': { type: 'image/svg+xml', text: textOf('playground/icon.svg') },
    '/dashboard/rules.html': { type: 'text/html', text: rulesPage(rules) },
  };
}
