// Measures how much of each prompt the API read from a cache, from the manifest of the request and the usage of the
// answer.
import { isCount } from '../sdk/internal/options.js';
import type { Manifest } from '../sdk/types/manifest.js';
import type { PrefixTotals, PrefixUse } from '../sdk/types/prefix-use.js';
import type { UsageMetadata } from '../sdk/types/gemini/usage-metadata.js';

const count = (value: unknown) => (isCount(value) ? value : 0);

/** Returns the use of the request that a manifest describes. The estimate is scaled to the API's count. */
function prefixUse(
  usage: UsageMetadata,
  { stablePrefixTokens, promptTokens }: Manifest,
): PrefixUse {
  const counted = count(usage.promptTokenCount);
  const share = promptTokens > 0 ? stablePrefixTokens / promptTokens : 0;
  return {
    promptTokens: counted,
    stableTokens: Math.round(counted * share),
    cachedTokens: count(usage.cachedContentTokenCount),
  };
}

/** Adds up the use of all requests of a conversation. */
export class PrefixMeter {
  readonly #totals: PrefixTotals = {
    requests: 0,
    promptTokens: 0,
    stableTokens: 0,
    cachedTokens: 0,
  };

  get totals(): PrefixTotals {
    return { ...this.#totals };
  }

  /** Adds a request, also one whose answer fails, and returns its use. */
  add(usage: UsageMetadata, manifest: Manifest): PrefixUse {
    const use = prefixUse(usage, manifest);
    if (use.promptTokens === 0) return use;
    const totals = this.#totals;
    totals.requests++;
    totals.promptTokens += use.promptTokens;
    totals.stableTokens += use.stableTokens;
    totals.cachedTokens += use.cachedTokens;
    return use;
  }
}
