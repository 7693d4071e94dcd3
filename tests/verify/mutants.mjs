// The part "mutants": one operator, constant, return or statement of the core is changed at a time, and a native
// suite has to fail.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closureOf } from '../../scripts/setup/cpp-includes.mjs';
import { root, SetupError } from '../../scripts/setup/run.mjs';
import { hashFiles } from '../../scripts/setup/stamp.mjs';
import { installSystemPackages } from '../../scripts/setup/system.mjs';
import { openLab } from './mutants/lab.mjs';
import { allMutants, shuffled, slots } from './mutants/mutants.mjs';

/**
 * Mutants that no test can catch, each with the reason. `nth` is given where it is not 1.
 * @type {{ file: string, line: string, becomes: string, nth?: number, why: string }[]}
 */
export const equivalents = JSON.parse(
  readFileSync(join(root, 'tests', 'mutants', 'equivalent.json'), 'utf8'),
);

/** Returns whether an entry of `equivalents` is about a mutant. */
export const isAbout =
  ({ file, line, becomes, nth = 1 }) =>
  (mutant) =>
    file === mutant.file &&
    line === mutant.line &&
    becomes === mutant.becomes &&
    nth === mutant.nth;

function describe({ file, number, line, becomes }) {
  return `${file}:${number}\n${line}\n${becomes}`;
}

// Returns the cells of a mutant: where it is, what it changes, what caught it or why nothing can.
function cellsOf(mutant, caught) {
  const entry = equivalents.find((each) => isAbout(each)(mutant));
  if (caught === undefined && !entry) throw new SetupError(`survived\n${describe(mutant)}`);
  if (caught !== undefined && entry)
    throw new SetupError(`not equivalent, caught by ${caught}\n${describe(mutant)}`);
  const { file, number, before, after } = mutant;
  return [file, String(number), before, after, caught ?? '', entry?.why ?? ''];
}

// A mutant that does not compile is replaced by the next one of its slot.
async function trySlot(lab, slot) {
  for (const mutant of slot) {
    const { compiles, caught } = await lab.try(mutant);
    if (compiles) return cellsOf(mutant, caught);
  }
  throw new SetupError('none of the mutants compiles');
}

// A result is reused as long as the file and what it includes are the same. Tests only grow.
function caseOf(slot) {
  const [{ name, file }] = slot;
  return { name, key: hashFiles(closureOf(file)).slice(0, 12), run: (lab) => trySlot(lab, slot) };
}

const roomOf = (file) => file.split('/')[1];

function sumRows(results) {
  const rows = new Map();
  for (const { cells } of results) {
    const [file, , , , caught, why] = cells;
    const room = roomOf(file);
    const row = rows.get(room) ?? { all: 0, own: 0, others: 0, equivalent: 0 };
    row.all += 1;
    if (why) row.equivalent += 1;
    else row[caught.startsWith(`${room}_test: `) ? 'own' : 'others'] += 1;
    rows.set(room, row);
  }
  return [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([room, { all, own, others, equivalent }]) => [
      `\`${room}\``,
      ...[all, own, others, equivalent].map(String),
    ]);
}

/**
 * Returns the part.
 * @param {{ seed: number, count: number }} options
 * @returns {import('./run-part.mjs').Part}
 */
export function mutantsPart({ seed, count }) {
  const all = allMutants();
  return {
    title: 'Mutants',
    about:
      `${count} of ${all.length} possible mutants of the core, drawn with the seed ${seed}. Each changes one operator, ` +
      'constant or return, or removes one statement. Those that do not compile are replaced. A mutant is caught if a ' +
      'test fails, crashes or does not end. Every mutant that was not caught is in `tests/mutants/equivalent.json`, ' +
      'with the reason why no test can catch it.',
    head: ['Room', 'Mutants', "Caught by the room's suite", 'by another suite', 'Equivalent'],
    async prepare() {
      await installSystemPackages(['native']);
      return { key: String(seed), context: await openLab() };
    },
    cases: slots(shuffled(all, seed), count).map(caseOf),
    sumRows,
  };
}
