// Adds up the token counts and the cost of the requests of a conversation, and of each of its sends, from their events;
// remembers the prices and the limits of its models.
import { sumOf } from '../client/read-answer.js';
import { priceOf, type PriceRow } from '../internal/cost.js';
import type { UsageMetadata } from '../types/gemini/response.js';
import type { ConversationEvent, UsageEvent } from '../types/conversation-event.js';
import type { ModelLimits, Backend } from '../types/model.js';
import type { Strata } from '../types/strata.js';
import type { Spent, TotalUsage, PrefixTotals, PrefixUse } from '../types/usage.js';

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

/** Where a model runs, and when. */
export interface Service {
  backend: Backend;
  /** RFC 3339. */
  now: string;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The rows of one instance, and the prices. */
export class ModelRows {
  readonly #strata: Strata;
  readonly #rows = new Map<string, ModelLimits>();
  readonly #prices = new Map<string, PriceRow | undefined>();

  constructor(strata: Strata) {
    this.#strata = strata;
  }

  /** Returns what `Strata.modelLimits` does. Rows begin and end with a day in UTC. */
  find(model: string, service: Service): ModelLimits {
    const key = keyOf(model, service);
    const row = this.#rows.get(key) ?? this.#strata.modelLimits(model, service);
    this.#rows.set(key, row);
    return row;
  }

  /** Returns the price of a model, undefined if it is not known. A row that was added to the catalogue has its own. */
  price(model: string, service: Service): PriceRow | undefined {
    const key = keyOf(model, service);
    if (this.#prices.has(key)) return this.#prices.get(key);
    const row = priceOf({ model, ...service });
    try {
      const { price } = this.find(model, service);
      const isListed = row?.input === price?.input && row?.output === price?.output;
      const found = isListed || !price ? row : { id: model, ...price };
      this.#prices.set(key, found);
      return found;
    } catch {
      // The core has trapped; the send ends for another reason.
      return row;
    }
  }
}

function keyOf(model: string, { backend, now }: Service): string {
  const day = Math.floor(Date.parse(now) / dayMs);
  return `${day} ${backend} ${model}`;
}
