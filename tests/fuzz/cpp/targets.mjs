// Lists the fuzz targets of tests/fuzz/cpp/targets.json, with their programs, inputs and sources.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { includesOf } from '../../../scripts/setup/cpp-includes.mjs';
import { rooms } from '../../../scripts/rooms.mjs';
import { root } from '../../../scripts/setup/run.mjs';
import { filesBelow, hashFiles } from '../../../scripts/setup/stamp.mjs';

const folder = 'tests/fuzz/cpp';

/**
 * The targets by name: what each checks, the rooms that it links, and the sources of its words.
 * @type {Record<string, { checks: string, rooms: string[], words: Record<'json' | 'plain', string[]> }>}
 */
export const targets = JSON.parse(readFileSync(join(root, folder, 'targets.json'), 'utf8'));

/** Returns the names that contain `only`. */
export const namesWith = (only) => Object.keys(targets).filter((name) => name.includes(only));

/** Returns the program of a target, which the preset `fuzz` builds. */
export const programOf = (name) => join(root, 'build', 'fuzz', folder, `fuzz_${name}`);

/** Returns the inputs of a target that once failed, relative to the root. */
export const crashesOf = (name) => filesBelow(`${folder}/crashes/${name}`);

/** Returns the folders of a target's stored inputs, relative to the root. */
export const storedFolders = (name) =>
  ['corpus', 'crashes']
    .map((kind) => `${folder}/${kind}/${name}`)
    .filter((each) => filesBelow(each).length > 0);

function withUsed(names) {
  return new Set(names.flatMap((name) => [name, ...withUsed(rooms.src[name].uses)]));
}

// Returns a file of the targets with those that it includes.
function withIncluded(file) {
  const included = includesOf(file).filter(({ quoted }) => quoted?.startsWith('fuzz/cpp/'));
  return [file, ...included.flatMap(({ quoted }) => withIncluded(`tests/${quoted}`))];
}

/** Returns a hash of what a target runs: its rooms with all that they use, and its own files. */
export function sourceKey(name) {
  const used = [...withUsed(targets[name].rooms)].sort();
  const core = used.flatMap((room) => filesBelow(`src/${room}`, ['.cpp', '.h', '.inc']));
  const own = new Set(withIncluded(`${folder}/targets/${name}.cpp`));
  return hashFiles([...core, ...own]).slice(0, 12);
}
