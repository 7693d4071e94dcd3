// Returns the program that tests of toolchains bundle and run.
import { readFileSync } from 'node:fs';

const turn = readFileSync(new URL('turn.mjs', import.meta.url), 'utf8');

/** Returns the source of turn.mjs, whose `turn()` uses each module. `place` tells where an entry is, by its name. */
export const turnFrom = (place = (entry) => entry) =>
  turn.replace(/'(prompt-strata[^']*)'/g, (_, entry) => `'${place(entry)}'`);

/** Returns a `place` for an entry's file in the folder `dist` of the package. */
export const fileIn = (dist) => (entry) => `${dist}/${entry.split('/')[1] ?? 'index'}.js`;
