// Remembers the catalogue's rows of the models that a conversation uses, so that a request asks the core once a day.
import type { Backend } from '../types/backend.js';
import type { ModelLimits } from '../types/model.js';
import type { Strata } from '../types/strata.js';

/** Where a model runs, and when. */
export interface Service {
  backend: Backend;
  /** RFC 3339. */
  now: string;
}

const dayMs = 24 * 60 * 60 * 1000;

/** The rows of one instance. */
export class ModelRows {
  readonly #strata: Strata;
  readonly #rows = new Map<string, ModelLimits>();

  constructor(strata: Strata) {
    this.#strata = strata;
  }

  /** Returns what `Strata.modelLimits` does. Rows begin and end with a day in UTC. */
  find(model: string, service: Service): ModelLimits {
    const day = Math.floor(Date.parse(service.now) / dayMs);
    const key = `${day} ${service.backend} ${model}`;
    const row = this.#rows.get(key) ?? this.#strata.modelLimits(model, service);
    this.#rows.set(key, row);
    return row;
  }
}
