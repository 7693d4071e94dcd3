// Declares what a manifest says about a request: its cache, its prefix, and what differs from another one.
import type { ManifestSection } from './compiled-prompt.js';
import type { Diagnostic } from './diagnostic.js';
import type { Backend } from './model.js';
import type { Wire } from './wire.js';

/** The four layers of a request, in the order in which they are written by default. */
export type LayerName = 'static' | 'dynamic' | 'buffered' | 'trigger';

/** Describes one request without its text. The JSON schema is `prompt-strata/schemas/manifest.json`. */
export interface Manifest {
  /** The version of the manifest format. */
  version: string;
  /** The version of the package that assembled the request. */
  compiler: string;
  model: string;
  /** The API that the body is for. Manifests of version 0.1.0 do not have it: theirs is generateContent. */
  wire?: Wire;
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

/** Describes the CachedContent that could be created now, up to the newest safe split point of the history. */
export interface CachePreview {
  /** The number of turns that the cache would hold. */
  turns: number;
  /** Estimated tokens of the cache. */
  tokens: number;
  /** Estimated tokens of the whole request without a cache. */
  promptTokens: number;
  /** Whether the cache in `input.cache` holds exactly what this request would leave out. */
  usable: boolean;
}

/** The input of `Strata.planCache`: one request and the outcome of the previous one. Times are in seconds from any fixed start. */
export interface CacheRequest {
  model: string;
  /** Default: `gemini`. */
  backend?: Backend;
  /** The time of the request, RFC 3339, which decides about prices. Default: the release date of the package. */
  at?: string;
  now: number;
  /** Tokens of the whole request without a cache. */
  promptTokens: number;
  /** Tokens that a cache created now would hold. */
  cacheableTokens: number;
  /** The existing cache that fits this request, with its expiration time. */
  cache?: { tokens: number; ends: number } | undefined;
  /** The minimum size of a CachedContent. Default: the model's `cacheMinimum`. */
  minimumTokens?: number | undefined;
  /** Counts from the previous response's `usageMetadata`. `explicitTokens` is the size of the CachedContent that the request named, 0 if it named none. */
  last?: { promptTokens: number; cachedTokens: number; explicitTokens: number } | undefined;
  /** The `state` of the previous plan for this conversation and model. */
  state?: CachePlan['state'] | undefined;
}

/** The planner's decision. Costs are tokens × USD per million tokens; docs/caching.md explains the calculation. */
export interface CachePlan {
  decision: CacheDecision;
  /** The lifetime, from now, of a cache that is created or extended. */
  ttlSeconds: number;
  minimumTokens: number;
  /** The additional cost of creating a cache, compared with this request without it. */
  extraCost: number;
  /** What a new cache would save with each later request. */
  savingPerRequest: number;
  /** The number of later requests expected during the cache's lifetime. */
  expectedRequests: number;
  /** The accumulated cost of repeated tokens that a newer cache would have saved, since the last cache was created. */
  overpaid: number;
  /** Opaque state to pass with the next request. */
  state: { [name: string]: number };
}

/**
 * How a request uses the explicit cache: `hit` uses it; `create`, `extend` and `roll` create, prolong or
 * replace it; `inline` sends everything although a cache was wanted; `below_minimum`, `not_worth` and
 * `unsupported` say why there is none.
 */
export type CacheDecision =
  'hit' | 'create' | 'extend' | 'roll' | 'inline' | 'below_minimum' | 'not_worth' | 'unsupported';

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
