// Defines how much of a prompt was read from a cache, compared with what could have been.

/** How much of a prompt the API read from a cache, and how much a cache could have served. */
export interface PrefixUse {
  /** Tokens of the prompt (`promptTokenCount`), with those from caches. */
  promptTokens: number;
  /**
   * Tokens at the start of the prompt that equal those of the previous request. Their share of the prompt is
   * estimated (`Manifest.stablePrefixTokens`), so the number may be off by some percent.
   */
  stableTokens: number;
  /** Tokens that the API read from a cache, implicit or explicit (`cachedContentTokenCount`). */
  cachedTokens: number;
}

/** The sums over all requests of a conversation. */
export interface PrefixTotals extends PrefixUse {
  /** The number of requests whose tokens the API counted. */
  requests: number;
}
