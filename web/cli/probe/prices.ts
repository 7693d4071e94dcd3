// Looks up what tokens of a model cost.
import type { ModelPrice, ServiceOptions, Strata } from '../../index.js';

/** Returns the price of a model; undefined if it is not known. */
export type PriceOf = (model: string) => ModelPrice | undefined;

/** Returns the prices of a service at a time. */
export const pricesOf =
  (strata: Strata, service: ServiceOptions): PriceOf =>
  (model) =>
    strata.modelLimits(model, service).price;
