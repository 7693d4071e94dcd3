// Why this file exists: a second run should do nothing twice. A stamp is the hash of what a step read;
// the step is skipped while the hash is the same and its outputs are there.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './run.mjs';

const stampPath = (name) => join(root, 'build', 'stamps', name);

/** All files below a folder (relative to the root), sorted, so that a hash over them is stable. */
export function filesBelow(folder, suffixes = ['']) {
  const top = join(root, folder);
  if (!existsSync(top)) return [];
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && suffixes.some((suffix) => entry.name.endsWith(suffix)))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .sort();
}

/** SHA-256 over names and contents; a file that is missing counts as empty. */
export function hashFiles(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const path = join(root, file);
    hash.update(`${file}\0`).update(existsSync(path) ? readFileSync(path) : '');
  }
  return hash.digest('hex');
}

/** Whether the step `name` already ran with this hash. */
export function isFresh(name, hash) {
  const path = stampPath(name);
  return existsSync(path) && readFileSync(path, 'utf8') === hash;
}

/** Remembers that the step `name` ran with this hash. */
export function setStamp(name, hash) {
  mkdirSync(dirname(stampPath(name)), { recursive: true });
  writeFileSync(stampPath(name), hash);
}
