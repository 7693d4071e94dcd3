// Measures how much of each prompt the API read from a cache, from the manifest of the request and the usage of the
// answer.
import { isCount } from '../base/options.js';
import type { Manifest } from '../types/manifest.js';
import type { PrefixTotals, PrefixUse } from '../types/prefix-use.js';
import type { Answer, StreamEvent, Usage } from '../types/response.js';

const count = (value: unknown) => (isCount(value) ? value : 0);

/** Returns the use of the request that a manifest describes. The estimate is scaled to the API's count. */
function prefixUse(usage: Usage, { stablePrefixTokens, promptTokens }: Manifest): PrefixUse {
  const counted = count(usage['promptTokenCount']);
  const share = promptTokens > 0 ? stablePrefixTokens / promptTokens : 0;
  return {
    promptTokens: counted,
    stableTokens: Math.round(counted * share),
    cachedTokens: count(usage['cachedContentTokenCount']),
  };
}

/** Adds up the use of all requests of a conversation. */
export class PrefixMeter {
  #totals: PrefixTotals = { requests: 0, promptTokens: 0, stableTokens: 0, cachedTokens: 0 };

  get totals(): PrefixTotals {
    return { ...this.#totals };
  }

  /** Yields the events of an answer, with `prefix` in those of type `usage`. An answer that fails is counted, too. */
  async *measure(
    answer: AsyncGenerator<StreamEvent, Answer, void>,
    manifest: Manifest,
  ): AsyncGenerator<StreamEvent, Answer, void> {
    let use: PrefixUse | undefined;
    try {
      for (;;) {
        const { done, value } = await answer.next();
        if (done) return value;
        if (value.type !== 'usage') yield value;
        else yield { ...value, prefix: (use = prefixUse(value.usage, manifest)) };
      }
    } finally {
      if (use && use.promptTokens > 0) this.#add(use);
      await answer.return(undefined as never);
    }
  }

  #add(use: PrefixUse): void {
    const { requests, promptTokens, stableTokens, cachedTokens } = this.#totals;
    this.#totals = {
      requests: requests + 1,
      promptTokens: promptTokens + use.promptTokens,
      stableTokens: stableTokens + use.stableTokens,
      cachedTokens: cachedTokens + use.cachedTokens,
    };
  }
}
