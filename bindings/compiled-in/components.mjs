// Reads the table of works that are compiled into the package, with the versions that the toolchain names.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { wasmPreset } from '../../scripts/setup/cmake.mjs';
import { SetupError, root } from '../../scripts/setup/run.mjs';

const folder = join(root, 'bindings', 'compiled-in');
const table = JSON.parse(readFileSync(join(folder, 'components.json'), 'utf8'));

/** Where the WebAssembly modules are built. */
export const buildFolder = join(root, 'build', wasmPreset);

// The toolchain file is <emscripten>/cmake/Modules/Platform/Emscripten.cmake.
function emscriptenFolder() {
  const cache = readFileSync(join(buildFolder, 'CMakeCache.txt'), 'utf8');
  const [, file] = /^CMAKE_TOOLCHAIN_FILE:\w+=(.+)$/m.exec(cache);
  return dirname(dirname(dirname(dirname(file))));
}

function versionOf({ file, pattern }, folders) {
  const path = file.replace(/\{(\w+)\}/, (_, name) => folders[name]);
  const found = new RegExp(pattern).exec(readFileSync(path, 'utf8'));
  if (!found)
    throw new SetupError(`${path} names no version (bindings/compiled-in/components.json)`);
  return found.slice(1).join('.');
}

/**
 * A work of others that is compiled into the package.
 * @typedef {object} Component
 * @property {string} name
 * @property {string} type of CycloneDX
 * @property {string} version
 * @property {string} purl
 * @property {string} license an SPDX expression
 * @property {string} text the name of the file in licenses/
 * @property {string[]} copyright
 * @property {string} homepage
 * @property {string} where what of the package contains it
 * @property {RegExp[]} archives of paths that the linker reads
 * @property {RegExp[]} headers of paths that the compiler reads
 * @property {string[]} packages of npm that are bundled
 */

const expressions = (patterns = []) => patterns.map((pattern) => new RegExp(pattern));

/**
 * Returns the components. The WebAssembly preset must be configured.
 * @returns {Component[]}
 */
export function readComponents() {
  const folders = { build: buildFolder, emscripten: emscriptenFolder(), root };
  return table.components.map(({ type = 'library', ...component }) => {
    const version = versionOf(component.version, folders);
    return {
      ...{ ...component, type, version, purl: component.purl.replace('{version}', version) },
      archives: expressions(component.archives),
      headers: expressions(component.headers),
      packages: component.packages ?? [],
    };
  });
}

/** Matches headers that only declare, so that nothing of them is compiled. */
export const declarations = expressions(table.declarations);

/** Returns the text of a license. */
export const licenseText = (name) =>
  readFileSync(join(folder, 'licenses', `${name}.txt`), 'utf8').trimEnd();
