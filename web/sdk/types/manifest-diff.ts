// Defines the result of comparing two manifests.
import type { ManifestSection } from './compiled-prompt.js';

/** A section that differs between the manifests. */
export interface SectionChange {
  id: string;
  change: 'added' | 'removed' | 'changed' | 'moved';
  before?: ManifestSection;
  after?: ManifestSection;
}

/** The size of a text; tokens are estimated. */
export interface PrefixSize {
  bytes: number;
  tokens: number;
}

/** The result of `diffManifests`. */
export interface ManifestDiff {
  /** Whether the stable sections are identical, byte for byte. */
  sameStable: boolean;
  /** Whether the dynamic sections are identical, byte for byte. */
  sameDynamic: boolean;
  /** Changes in the order of the first manifest, then the added sections. */
  sections: SectionChange[];
  /** Id of the first stable section that changed; nothing is shared from there on. */
  firstChange?: string;
  /** The common prefix of the stable sections. */
  shared: PrefixSize;
  /** The first manifest's stable sections after that prefix: what a cache held in vain. */
  lost: PrefixSize;
  /** The second manifest's stable sections after that prefix: billed at the full price. */
  fresh: PrefixSize;
  /** For requests: body fields (tools, generationConfig…) that were changed, added or removed. */
  fields?: string[];
  /** For requests: whether a CachedContent for the first does not fit the second. */
  cacheStale?: boolean;
}
