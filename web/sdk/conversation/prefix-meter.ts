// Measures how much of each prompt the API read from a cache, from the manifest of the request and the usage of the
// answer.
import { isCount } from '../base/options.js';
import type { Manifest } from '../types/manifest.js';
import type { PrefixTotals, PrefixUse } from '../types/prefix-use.js';
import type { UsageMetadata } from '../types/gemini/usage-metadata.js';
import type { StreamEvent } from '../types/response.js';

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

  /**
   * Returns a function for the events of one answer, which adds `prefix` to those of type `usage`. The last usage
   * counts, also of an answer that fails.
   */
  start(manifest: Manifest): (event: StreamEvent) => StreamEvent {
    let last: PrefixUse | undefined;
    return (event) => {
      if (event.type !== 'usage') return event;
      const prefix = prefixUse(event.usage, manifest);
      if (last) this.#add(last, -1);
      this.#add(prefix, 1);
      last = prefix;
      return { type: event.type, usage: event.usage, prefix };
    };
  }

  #add(use: PrefixUse, sign: 1 | -1): void {
    if (use.promptTokens === 0) return;
    const totals = this.#totals;
    totals.requests += sign;
    totals.promptTokens += sign * use.promptTokens;
    totals.stableTokens += sign * use.stableTokens;
    totals.cachedTokens += sign * use.cachedTokens;
  }
}
