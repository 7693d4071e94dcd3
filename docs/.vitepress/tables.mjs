// Puts tables and pictures into the pages of the site: each replaces a comment such as <!-- site: rules -->.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rooms } from '../../scripts/rooms.mjs';
import { gateTables } from './gates-tables.mjs';
import { modelTables } from './models-page.mjs';
import { pagesFolder } from './pages.mjs';
import { roomsPicture } from './rooms-picture.mjs';
import { ruleTables } from './rules-page.mjs';
import { violationTables } from './violations-page.mjs';

const trees = { src: 'core', web: 'shell' };

function roomTable(tree) {
  const rows = Object.entries(rooms[tree]).map(
    ([name, { holds, uses }]) =>
      `| \`${name}\` | ${holds} | ${uses.map((use) => `\`${use}\``).join(' ')} |`,
  );
  const picture = `![The modules of the ${trees[tree]}](pictures/rooms-${trees[tree]}.svg)\n\n`;
  return picture + ['| module | holds | uses |', '| --- | --- | --- |', ...rows].join('\n');
}

const tables = {
  ...ruleTables,
  ...modelTables,
  ...violationTables,
  ...gateTables,
  'modules src': () => roomTable('src'),
  'modules web': () => roomTable('web'),
};

/**
 * Returns a page with its tables.
 * @throws Error if the page names a table that does not exist
 */
export const withTables = (text) =>
  text.replace(/<!-- site: ([\w ]+) -->/g, (_, name) => {
    if (!Object.hasOwn(tables, name)) throw new Error(`There is no table ${name}`);
    return tables[name]();
  });

/** Draws the modules of the core and of the shell into the folder of the pages. */
export async function writePictures() {
  for (const [tree, name] of Object.entries(trees))
    writeFileSync(
      join(pagesFolder, 'pictures', `rooms-${name}.svg`),
      await roomsPicture(rooms[tree]),
    );
}
