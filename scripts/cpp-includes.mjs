// Why this file exists: what a C++ file includes, for the check of who may include whom and for telling
// which files a change touches.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from './setup/run.mjs';

const directive = /^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)/gm;

/** The includes of one file as `{ quoted }` or `{ system }` names, in their order. */
export function includesOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  return Array.from(text.matchAll(directive), ([, quoted, system]) =>
    quoted === undefined ? { system } : { quoted },
  );
}

function resolve(file, name) {
  const candidates = [join('src', name), normalize(join(dirname(file), name))];
  return candidates.find((candidate) => existsSync(join(root, candidate)));
}

/** A file and all files of the project that it includes, directly or not. */
export function closureOf(file) {
  const found = new Set([file]);
  for (const each of found) {
    for (const { quoted } of includesOf(each)) {
      const path = quoted && resolve(each, quoted);
      if (path) found.add(path);
    }
  }
  return [...found].sort();
}
