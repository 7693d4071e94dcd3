// Writes the API reference from the doc comments of web/: one Markdown page for each exported name.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { Application, Comment, Converter } from 'typedoc';
import { SetupError, root } from '../../scripts/setup/run.mjs';
import { filesBelow } from '../../scripts/setup/stamp.mjs';
import { fileOfPage, pagesFolder, titleOf } from './pages.mjs';

const folder = join(pagesFolder, 'api');

const { exports, name: packageName } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The modules of the package by what one imports, with their sources. */
const modules = Object.entries(exports)
  .filter(([path]) => !/\.\w+$/.test(path))
  .map(([path, targets]) => ({
    file: targets.default.types.replace(/^\.\/dist\/(.*)\.d\.ts$/, 'web/$1.ts'),
    path: packageName + path.slice(1),
  }));

// The sentence with which the file of a module opens.
function openingOf({ file }) {
  const [comment] = /^(\/\/.*\n)+/.exec(readFileSync(join(root, file), 'utf8'));
  return comment
    .replaceAll(/^\/\/ ?/gm, '')
    .replaceAll('\n', ' ')
    .trim();
}

// TypeDoc names a module like its file, or like the folder of its index.
const nameOf = (file) => file.replace(/^web\/(.*?)(\/index)?\.ts$/, '$1');

function describeModules({ project }) {
  for (const reflection of project.children ?? []) {
    const found = modules.find(({ file }) => nameOf(file) === reflection.name);
    reflection.name = found.path;
    reflection.comment = new Comment([{ kind: 'text', text: openingOf(found) }]);
  }
}

const options = {
  plugin: ['typedoc-plugin-markdown'],
  entryPoints: modules.map(({ file }) => join(root, file)),
  tsconfig: join(root, 'tsconfig.types.json'),
  outputs: [{ name: 'markdown', path: folder }],
  readme: 'none',
  name: 'API reference',
  router: 'member',
  // The others are sections of the page of their module.
  membersWithOwnFile: ['Class', 'Function', 'Interface'],
  entryFileName: 'index',
  logLevel: 'Warn',
  excludeInternal: true,
  excludePrivate: true,
  disableSources: true,
  githubPages: false,
  hidePageHeader: true,
  // It computes `InferOutput`, which is what a caller names.
  intentionallyNotExported: ['FromJsonSchema'],
  // What one calls comes first.
  groupOrder: [
    'Functions',
    'Classes',
    'Interfaces',
    'Type Aliases',
    'Constructors',
    'Properties',
    'Accessors',
    'Methods',
  ],
  indexFormat: 'table',
  parametersFormat: 'table',
};

// Doc comments name the pages of docs/ by their path in the repository.
function linkPages(text, up) {
  return text.replace(/\bdocs\/([\w-]+\.md)(#[\w-]+)?/g, (path, page, anchor = '') =>
    Object.hasOwn(fileOfPage, page) ? `[${titleOf(page)}](${up}${page}${anchor})` : path,
  );
}

function linkPagesIn(path) {
  const depth = relative(pagesFolder, path).split(sep).length - 1;
  // Odd pieces are code.
  const pieces = readFileSync(path, 'utf8').split(/(^```[\s\S]*?^```$|`[^`\n]+`)/m);
  const linked = pieces.map((piece, i) => (i % 2 ? piece : linkPages(piece, '../'.repeat(depth))));
  writeFileSync(path, linked.join(''));
}

/**
 * Writes the reference into the folder of the pages.
 * @throws SetupError for every warning of TypeDoc, such as a link that leads nowhere
 */
export async function writeApi() {
  const app = await Application.bootstrapWithPlugins(options);
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, describeModules);
  const project = await app.convert();
  if (project) {
    app.validate(project);
    await app.generateOutputs(project);
  }
  const faults = app.logger.warningCount + app.logger.errorCount;
  if (!project || faults > 0) throw new SetupError(`TypeDoc has ${faults} complaints`);
  for (const file of filesBelow('build/pages/api', ['.md'])) linkPagesIn(join(root, file));
}
