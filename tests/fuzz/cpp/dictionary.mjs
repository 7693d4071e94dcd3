// Makes the dictionaries of the fuzz targets from the names in the sources that they run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/setup/run.mjs';
import { filesBelow } from '../../../scripts/setup/stamp.mjs';

const literal = /(\{\s*)?"((?:[^"\\\n]|\\.)*)"/g;
const name = /^[A-Za-z_@$][\w.$@/-]{1,39}$/;
const sign = /^[^\w\s"\\]{1,3}$/;

// A row of a table starts with a name, behind which its parameters may stand.
const wordOf = ([, opensRow, text]) => (opensRow ? text.split(/[ (]/)[0] : text);

function wordsIn(file) {
  const text = readFileSync(join(root, file), 'utf8').replace(/^\s*#include.*$/gm, '');
  return Array.from(text.matchAll(literal), wordOf);
}

const sourcesAt = (path) =>
  /\.\w+$/.test(path) ? [path] : filesBelow(path, ['.cpp', '.h', '.inc']);

// How a word is written in the inputs of a target.
const forms = {
  json: { is: (word) => name.test(word), line: (word) => `"\\"${word}\\""` },
  plain: { is: (word) => name.test(word) || sign.test(word), line: (word) => `"${word}"` },
};

/**
 * Returns a dictionary in libFuzzer's format: one word a line.
 * @param {{ words: Record<'json' | 'plain', string[]> }} target
 */
export function dictionaryOf({ words }) {
  const lines = Object.entries(words).flatMap(([form, paths]) => {
    const { is, line } = forms[form];
    return paths.flatMap(sourcesAt).flatMap(wordsIn).filter(is).map(line);
  });
  return `${[...new Set(lines)].sort().join('\n')}\n`;
}
