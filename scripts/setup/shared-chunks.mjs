// Keeps esbuild from cutting the package's shared code into many small files, which compress badly. esbuild puts two
// modules in one file if the same entries reach them, and a module that is imported on use counts as an entry. Such a
// module is given imports of everything that is loaded before it anyway, so that it divides nothing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const importsOf = (inputs, file, wanted) =>
  inputs[file].imports
    .filter(({ kind, path }) => kind === wanted && path in inputs)
    .map(({ path }) => path);

/** Returns `file` and what it imports statically, directly or not. */
function loadedWith(inputs, file) {
  const found = new Set([file]);
  for (const each of found) {
    for (const path of importsOf(inputs, each, 'import-statement')) found.add(path);
  }
  return found;
}

const common = (sets) => sets.reduce((all, set) => new Set([...all].filter((x) => set.has(x))));

/**
 * Returns, for each module that is imported on use and never otherwise, the modules that are loaded before it wherever
 * that happens, without those that it imports itself.
 *
 * @param inputs the `inputs` of esbuild's metafile
 * @param entries the modules that applications import
 * @returns {Map<string, string[]>}
 */
export function loadedBefore(inputs, entries) {
  const files = Object.keys(inputs);
  const closures = new Map(files.map((file) => [file, loadedWith(inputs, file)]));
  const isAlwaysLoaded = new Set(entries.flatMap((entry) => [...closures.get(entry)]));
  const onUse = new Set(files.flatMap((file) => importsOf(inputs, file, 'dynamic-import')));
  // Unset until one of the importers is known; then it can only shrink.
  const before = new Map();
  const loadedAfter = (entry) => new Set([...closures.get(entry), ...(before.get(entry) ?? [])]);
  const importersOf = (module) =>
    [...entries, ...onUse].filter((entry) =>
      [...closures.get(entry)].some((file) =>
        importsOf(inputs, file, 'dynamic-import').includes(module),
      ),
    );
  for (let changes = true; changes;) {
    changes = false;
    for (const module of onUse) {
      const known = importersOf(module).filter(
        (each) => entries.includes(each) || before.has(each),
      );
      if (known.length === 0) continue;
      const found = common(known.map(loadedAfter));
      changes ||= found.size !== before.get(module)?.size;
      before.set(module, found);
    }
  }
  return new Map(
    [...before]
      // An import into a module that an entry loads as well could change the order of evaluation.
      .filter(([module]) => !isAlwaysLoaded.has(module))
      .map(([module, found]) => [
        module,
        [...found].filter((file) => isAlwaysLoaded.has(file) && !closures.get(module).has(file)),
      ]),
  );
}

/** Returns the text of a source map without the imports that the plugin adds. */
export const withoutAddedImports = (text) =>
  text.replace(/\\n(?:import 'loaded-before:[^']*';)+/g, '');

/** A plugin of esbuild that adds the imports of `loadedBefore`. */
export const sharedChunks = (before) => ({
  name: 'shared-chunks',
  setup(build) {
    // package.json says that modules have no side effects, so an import without names would be dropped.
    build.onResolve({ filter: /^loaded-before:/ }, ({ path }) => ({
      path: join(root, path.slice('loaded-before:'.length)),
      sideEffects: true,
    }));
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const added = before.get(path.slice(root.length + 1).replaceAll('\\', '/')) ?? [];
      if (added.length === 0) return undefined;
      const imports = added.map((file) => `import 'loaded-before:${file}';`).join('');
      return { contents: `${readFileSync(path, 'utf8')}\n${imports}`, loader: 'ts' };
    });
  },
});
