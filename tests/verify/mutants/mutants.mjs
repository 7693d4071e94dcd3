// Lists the mutants of the core in a random order that depends on a seed and on the changed lines only.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/setup/run.mjs';
import { filesBelow } from '../../../scripts/setup/stamp.mjs';
import { changesIn } from './changes.mjs';

/**
 * A mutant: a change of one file, with the lines that it is in before (`line`) and after the change (`becomes`), in
 * which white space is one space. Line numbers change with each edit above; these texts do not. `nth` counts equal
 * texts in a file from 1.
 * @typedef {import('./changes.mjs').Change & { file: string, number: number, line: string, becomes: string,
 *   nth: number, name: string }} Mutant
 */

const oneLine = (text) => text.trim().replace(/\s+/g, ' ');

function describe(file, source, change) {
  const { at, end, after } = change;
  const start = source.lastIndexOf('\n', at - 1) + 1;
  const newline = source.indexOf('\n', end);
  const stop = newline < 0 ? source.length : newline;
  const line = oneLine(source.slice(start, stop));
  const becomes = oneLine(source.slice(start, at) + after + source.slice(end, stop));
  return { ...change, file, number: source.slice(0, at).split('\n').length, line, becomes };
}

function withNames(mutants) {
  const counts = new Map();
  return mutants.map((mutant) => {
    const text = `${mutant.file}: ${mutant.line} => ${mutant.becomes}`;
    const nth = (counts.get(text) ?? 0) + 1;
    counts.set(text, nth);
    return { ...mutant, nth, name: nth === 1 ? text : `${text} (${nth})` };
  });
}

/** Returns the mutants of one file. */
export function mutantsIn(file, source) {
  return withNames(changesIn(source).map((change) => describe(file, source, change)));
}

const isGenerated = (source) => source.startsWith('// Written by ');

/** Returns all mutants of the core in the order of the files. Generated files have none. */
export function allMutants() {
  return filesBelow('src', ['.cpp', '.h']).flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return isGenerated(source) ? [] : mutantsIn(file, source);
  });
}

/** Returns the mutants in the order of a seed. An edit of the core moves the mutants of the edited lines only. */
export function shuffled(mutants, seed) {
  const rank = ({ name }) => createHash('sha256').update(`${seed}\n${name}`).digest('hex');
  return mutants
    .map((mutant) => ({ mutant, rank: rank(mutant) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ mutant }) => mutant);
}

/** Returns `count` lists: the first mutant of each list, and those that replace it if it does not compile. */
export function slots(mutants, count) {
  return Array.from({ length: Math.min(count, mutants.length) }, (_, slot) =>
    mutants.filter((_, index) => index % count === slot),
  );
}
