// Finds the folder of recorded answers and benchmark inputs, which is not part of the project. STRATA_SHARED
// names it; otherwise it is ../shared, beside the checkout.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '../scripts/setup/run.mjs';

/** A path in the folder, whether it is there or not. */
export const sharedPath = (...parts) =>
  join(resolve(process.env.STRATA_SHARED || join(root, '..', 'shared')), ...parts);

/**
 * False where `path` is in the folder; otherwise a sentence that says what is missing and what to do. It fits
 * node:test's option `skip`.
 * @param {string} what such as 'recorded answers'
 * @param {string} path below the folder
 */
export function missingFrom(what, ...path) {
  const file = sharedPath(...path);
  if (existsSync(file)) return false;
  const advice = `set STRATA_SHARED to a folder that contains ${path.join('/')}/`;
  return `no ${what}: ${file} is missing (not part of the project; ${advice})`;
}
