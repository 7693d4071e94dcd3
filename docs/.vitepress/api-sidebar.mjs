// Lists the API reference for the sidebar: by module, then by kind.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pagesFolder } from './pages.mjs';

const kinds = {
  functions: 'Functions',
  classes: 'Classes',
  interfaces: 'Interfaces',
  'type-aliases': 'Type Aliases',
};
// Every page contains the sidebar, so the hundreds of types are listed on the page of their module only.
const listed = ['functions', 'classes'];

function kindGroup(folder, kind) {
  if (!listed.includes(kind)) return { text: kinds[kind], link: `/${folder}/#${kind}` };
  const path = `${folder}/${kind}`;
  const names = readdirSync(join(pagesFolder, path)).map((file) => basename(file, '.md'));
  const items = names.map((name) => ({ text: name, link: `/${path}/${name}` }));
  return { text: kinds[kind], items };
}

function moduleGroup(folder) {
  const page = readFileSync(join(pagesFolder, folder, 'index.md'), 'utf8');
  const found = Object.keys(kinds).filter((kind) => page.includes(`\n## ${kinds[kind]}\n`));
  const items = found.map((kind) => kindGroup(folder, kind));
  return { text: folder.slice('api/'.length), link: `/${folder}/`, items };
}

/** Returns one group for each module of the package. */
export function apiGroups() {
  const top = readdirSync(join(pagesFolder, 'api'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `api/${name}`);
  const below = top.flatMap((folder) =>
    readdirSync(join(pagesFolder, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !Object.hasOwn(kinds, entry.name))
      .map(({ name }) => `${folder}/${name}`),
  );
  return [...top, ...below].map(moduleGroup);
}
