// Returns the program that tests of toolchains bundle and run.
import { readFileSync } from 'node:fs';

const turn = readFileSync(new URL('turn.mjs', import.meta.url), 'utf8');

/** Returns the source of turn.mjs, whose `turn()` uses each module, with these entries of the package. */
export const turnFrom = (entry = 'prompt-strata', check = 'prompt-strata/check') =>
  turn.replace("'prompt-strata'", `'${entry}'`).replace("'prompt-strata/check'", `'${check}'`);
