// The manifest: what one request was made of.
import type { CacheDecision, CachePlan } from './cache-plan.js';
import type { ManifestSection } from './compiled-prompt.js';
import type { Diagnostic } from './diagnostic.js';

export type LayerName = 'static' | 'dynamic' | 'buffered' | 'trigger';

/** What one request was made of; never the text itself. `prompt-strata/schemas/manifest.json` describes it. */
export interface Manifest {
  /** Of this document. */
  version: string;
  /** The package version that made it. */
  compiler: string;
  model: string;
  profile?: string;
  /** Of the compiled prompt, with `static` and `dynamic` for what the layers have of their own. */
  sections: ManifestSection[];
  /** SHA-256, hexadecimal, of layer 1, layer 2, and the whole body's pieces. */
  fingerprints: { stable: string; dynamic: string; full: string };
  layers: {
    layer: LayerName;
    bytes: number;
    tokens: number;
    fingerprint: string;
    cached: boolean;
  }[];
  /** The body, front to back: which bytes are what. Of history, `from` and `to` are its turns. */
  pieces: { name: string; bytes: number; fingerprint: string; from?: number; to?: number }[];
  /** Bytes at the start of the body that equal the previous request's; 0 without `previous`. */
  stablePrefixBytes: number;
  cache: {
    decision: CacheDecision;
    key: string;
    /** In words and numbers. */
    reason: string;
    /** Where the planner decided: what it weighed. */
    plan?: Omit<CachePlan, 'state'> & { cacheableTokens: number; cachedTokens: number };
  };
  diagnostics: Diagnostic[];
}
