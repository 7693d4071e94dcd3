// Skips build steps whose inputs are unchanged. A stamp is the hash of the inputs of a step.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './run.mjs';

const stampPath = (name) => join(root, 'build', 'stamps', name);

/** Returns all files below a folder, relative to the root and sorted, so that their hash is stable. */
export function filesBelow(folder, suffixes = ['']) {
  const top = join(root, folder);
  if (!existsSync(top)) return [];
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && suffixes.some((suffix) => entry.name.endsWith(suffix)))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .sort();
}

/** Returns the files of web/ that the package is made of: all but those of the page. */
export const packageSources = () =>
  filesBelow('web').filter((file) => !/^web\/playground\//.test(file));

/** Returns the SHA-256 of names and contents. A missing file counts as empty. */
export function hashFiles(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const path = join(root, file);
    hash.update(`${file}\0`).update(existsSync(path) ? readFileSync(path) : '');
  }
  return hash.digest('hex');
}

/** Whether the step `name` last succeeded with this hash. */
export function isFresh(name, hash) {
  const path = stampPath(name);
  return existsSync(path) && readFileSync(path, 'utf8') === hash;
}

/** Records that the step `name` succeeded with this hash. */
export function setStamp(name, hash) {
  mkdirSync(dirname(stampPath(name)), { recursive: true });
  writeFileSync(stampPath(name), hash);
}
