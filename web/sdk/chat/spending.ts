// Adds up the token counts and the cost of the requests of a conversation, and of each of its sends, from their events.
import { sumOf } from '../client/read-answer.js';
import type { ConversationEvent, UsageEvent } from '../types/conversation-event.js';
import type { UsageMetadata } from '../types/gemini/response.js';
import type { PrefixTotals, PrefixUse, Spent, TotalUsage } from '../types/usage.js';

/** Returns the cost of the request that an event counts; undefined if its price is not known. */
export type CostOf = (event: UsageEvent) => number | undefined;

const add = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a + b;

/** What a conversation, or one send, has used. */
export class Spending {
  #requests = 0;
  #counts: UsageMetadata = {};
  #usd: number | undefined = 0;
  readonly #prefix: PrefixTotals = {
    requests: 0,
    promptTokens: 0,
    stableTokens: 0,
    cachedTokens: 0,
  };

  /** Continues with what was used before. */
  restore({ usage: { requests, ...counts }, usd }: Spent): void {
    [this.#requests, this.#counts, this.#usd] = [requests, counts, usd];
  }

  /** Adds what an event says. */
  see(event: ConversationEvent, costOf: CostOf): void {
    if (event.type === 'request') this.#requests++;
    if (event.type !== 'usage') return;
    // The first counts are kept as they are.
    const isFirst = Object.keys(this.#counts).length === 0;
    this.#counts = isFirst ? event.usage : sumOf([this.#counts, event.usage]);
    this.#usd = add(this.#usd, costOf(event));
    if (event.prefix && event.prefix.promptTokens > 0) this.#addPrefix(event.prefix);
  }

  #addPrefix({ promptTokens, stableTokens, cachedTokens }: PrefixUse): void {
    const totals = this.#prefix;
    totals.requests++;
    totals.promptTokens += promptTokens;
    totals.stableTokens += stableTokens;
    totals.cachedTokens += cachedTokens;
  }

  get prefix(): PrefixTotals {
    return { ...this.#prefix };
  }

  get usage(): TotalUsage {
    return { ...this.#counts, requests: this.#requests };
  }

  get cost(): { usd?: number } {
    return this.#usd === undefined ? {} : { usd: this.#usd };
  }

  get spent(): Spent {
    return { usage: this.usage, ...this.cost };
  }
}
