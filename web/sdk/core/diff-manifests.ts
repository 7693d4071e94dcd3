// Exports `diffManifests` as a function that needs no Strata: it uses the newest instance that `load` created.
import { StrataError } from '../internal/errors.js';
import type { PromptManifest } from '../types/compiled-prompt.js';
import type { ManifestDiff, Manifest } from '../types/manifest.js';
import type { Strata } from '../types/strata.js';

let newest: Strata | undefined;

/** Remembers the newest instance. It stays in memory until the next one. */
export function setNewest(strata: Strata): void {
  newest = strata;
}

/**
 * Returns which sections changed from `a` to `b`, and how much of the stable prefix that loses. Both are
 * manifests of `compile` or both of `assemble`. Call `load` before; `Strata.diffManifests` does the same.
 *
 * @throws StrataError `manifest.version` for a document of another version, `instance.missing` before `load`
 *
 * @example
 * const { firstChange, lost } = diffManifests(yesterday, today);
 * console.log(`${firstChange} cost ${lost.tokens} cached tokens`);
 */
export function diffManifests(
  a: Manifest | PromptManifest,
  b: Manifest | PromptManifest,
): ManifestDiff {
  if (!newest) throw new StrataError('instance.missing', 'Call load() before diffManifests()');
  return newest.diffManifests(a, b);
}
