// Writes the modules that TypeScript imports as #generated/<name> into build/generated, from the tables that are their
// source: src/catalogue/, the files of the dashboard, and the version in package.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';
import { writeChanged } from './write-changed.mjs';

const generated = join(root, 'build', 'generated');

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

function writeModule(name, { types, values }) {
  const lines = Object.entries(values).map(
    ([id, value]) => `export const ${id} = ${JSON.stringify(value, null, 1)};\n`,
  );
  writeChanged(join(generated, `${name}.d.ts`), `${types.trimEnd()}\n`);
  writeChanged(join(generated, `${name}.js`), lines.join(''));
}

async function dashboard() {
  const { dashboardRules } = await import('../../src/catalogue/web-modules.mjs');
  const { dashboardFiles } = await import('../../web/dashboard/bundle.mjs');
  return {
    types: `/** The files of the dashboard by path. */
export declare const files: { readonly [path: string]: { type: string; text: string } };`,
    values: { files: await dashboardFiles(dashboardRules()) },
  };
}

/** Writes the modules. What has not changed is left alone. npm's packages must be installed. */
export async function writeTables() {
  const { webModules } = await import('../../src/catalogue/web-modules.mjs');
  const modules = {
    ...webModules(),
    version: { types: 'export declare const version: string;', values: { version } },
    'dashboard-files': await dashboard(),
  };
  for (const [name, module] of Object.entries(modules)) writeModule(name, module);
}
