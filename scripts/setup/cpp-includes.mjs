// Reads the #include directives of C++ files.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize, relative } from 'node:path';
import { root } from './run.mjs';

const directive = /^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)/gm;

/** Returns the includes of one file in order, as `{ quoted }` or `{ system }` names. */
export function includesOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  return Array.from(text.matchAll(directive), ([, quoted, system]) =>
    quoted === undefined ? { system } : { quoted },
  );
}

function resolve(file, name) {
  // As in the files that CMake unites.
  if (isAbsolute(name)) return relative(root, name);
  const candidates = [join('src', name), normalize(join(dirname(file), name))];
  return candidates.find((candidate) => existsSync(join(root, candidate)));
}

/** Returns a file and all project files that it includes, directly or indirectly. */
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
