// Writes the table of docs/runtimes.md: where `npm test` runs the tests of the packed package, with the versions of
// package.json.
const rows = [
  { runtime: 'Node', version: ({ engines }) => engines.node.replace('>=', ''), note: 'and newer' },
  { runtime: 'Deno', tool: 'deno', note: 'without permissions' },
  { runtime: 'Bun', tool: 'bun' },
  { runtime: 'Cloudflare Workers', tool: 'miniflare', note: '(Miniflare with workerd)' },
  { runtime: 'Chromium', note: 'Debian 12', also: 'also built by Vite, webpack and esbuild' },
  { runtime: 'Firefox', note: 'Debian 12 (ESR)' },
  { runtime: 'Safari', note: 'Debian 12: WebKitGTK, the same engine' },
];

function rowOf({ runtime, tool, version, note, also }, project) {
  const number = tool ? project.devDependencies[tool] : version?.(project);
  const name = also ? `${runtime}, ${also}` : runtime;
  return `| ${name} | ${[number, note].filter(Boolean).join(' ')} |`;
}

/**
 * Returns the page with its table.
 * @param page the text of docs/runtimes.md
 * @param project package.json
 */
export function runtimesPage(page, project) {
  const table = ['| Runtime | Version |', '| --- | --- |'];
  const lines = [...table, ...rows.map((row) => rowOf(row, project))].join('\n');
  const marked = /(<!-- runtimes -->\n)[\s\S]*?(<!-- \/runtimes -->)/;
  return page.replace(marked, (_, open, close) => `${open}${lines}\n${close}`);
}
