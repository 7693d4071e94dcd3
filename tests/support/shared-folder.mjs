// Finds the folder of recorded answers and benchmark inputs, which is not part of the project: the folder that
// STRATA_SHARED names, or ../shared relative to the checkout.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '../../scripts/setup/run.mjs';

/** Returns a path in the folder, whether it exists or not. */
export const sharedPath = (...parts) =>
  join(resolve(process.env.STRATA_SHARED || join(root, '..', 'shared')), ...parts);

/**
 * Returns false if `path` is in the folder, otherwise a sentence that says what is missing and how to fix it, for the
 * option `skip` of node:test.
 * @param {string} what such as 'recorded answers'
 * @param {string} path relative to the folder
 */
export function missingFrom(what, ...path) {
  const file = sharedPath(...path);
  if (existsSync(file)) return false;
  const advice = `set STRATA_SHARED to a folder that contains ${path.join('/')}/`;
  return `no ${what}: ${file} is missing (not part of the project; ${advice})`;
}
