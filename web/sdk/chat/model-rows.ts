// Remembers the catalogue's rows of the models that a conversation uses, so that a request asks the core once a day.
import { priceOf, type PriceRow } from '../internal/usage.js';
import type { Backend, ModelLimits } from '../types/model.js';
import type { Strata } from '../types/strata.js';

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
