// Defines the manifest, which describes one request without its text.
import type { CacheDecision, CachePlan } from './cache-plan.js';
import type { ManifestSection } from './compiled-prompt.js';
import type { Diagnostic } from './diagnostic.js';

/** The four layers of a request, in the order in which they are written by default. */
export type LayerName = 'static' | 'dynamic' | 'buffered' | 'trigger';

/** Describes one request without its text. The JSON schema is `prompt-strata/schemas/manifest.json`. */
export interface Manifest {
  /** The version of the manifest format. */
  version: string;
  /** The version of the package that assembled the request. */
  compiler: string;
  model: string;
  profile?: string;
  /** The sections of the compiled prompt, and `static` and `dynamic` for the layers' own text. */
  sections: ManifestSection[];
  /** SHA-256, hexadecimal, of layer 1, of layer 2, and of the pieces of the whole body. */
  fingerprints: { stable: string; dynamic: string; full: string };
  layers: {
    layer: LayerName;
    bytes: number;
    tokens: number;
    fingerprint: string;
    cached: boolean;
  }[];
  /** The pieces of the body in the order of their bytes. `from` and `to` (exclusive) are the turns of a history piece. */
  pieces: { name: string; bytes: number; fingerprint: string; from?: number; to?: number }[];
  /** A lower bound on the bytes at the start of the body that equal those of the previous request; 0 without `previous`. */
  stablePrefixBytes: number;
  /** Estimated tokens at the start of the prompt that equal those of the previous request: what an implicit cache can serve. Fields that are no part of the prompt do not count; 0 without `previous`. */
  stablePrefixTokens: number;
  /** Estimated tokens of the whole prompt: all layers, tools, and what the CachedContent holds. */
  promptTokens: number;
  cache: {
    decision: CacheDecision;
    /** Identifies what a cache for this request holds. */
    key: string;
    /** The decision in one sentence, with its numbers. */
    reason: string;
    /** The planner's calculation, if the planner decided. */
    plan?: Omit<CachePlan, 'state'> & { cacheableTokens: number; cachedTokens: number };
  };
  diagnostics: Diagnostic[];
}
