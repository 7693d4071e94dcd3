// Finds the price of a model's tokens, and a name for the model that holds no text of a caller.
import type { ModelLimits, ModelPrice, ServiceOptions } from '../sdk/types/model.js';

/** What knows the prices of models. */
export interface ModelPrices {
  modelLimits(model: string, options?: ServiceOptions): ModelLimits;
}

/** A model with its price. */
export interface PricedModel {
  /** Its name in the catalogue; `other` for a model whose price is not known. */
  model: string;
  /** USD per million tokens; undefined if unknown. */
  price?: ModelPrice | undefined;
}

const isSamePrice = (a: ModelPrice | undefined, b: ModelPrice): boolean =>
  a !== undefined && a.input === b.input && a.output === b.output && a.cacheRead === b.cacheRead;

const other: PricedModel = { model: 'other' };

/**
 * Returns the price of a model. Its name is the shortest with which the catalogue finds the same price, because a name
 * comes from a caller, who may have put a text behind it.
 */
export function pricedModel(
  core: ModelPrices,
  model: string,
  service: ServiceOptions,
): PricedModel {
  try {
    const { servedBy, price } = core.modelLimits(model, service);
    if (!price) return other;
    let name = servedBy;
    const priceOf = (shorter: string) => core.modelLimits(shorter, service).price;
    while (isSamePrice(priceOf(name.slice(0, -1)), price)) name = name.slice(0, -1);
    return { model: name, price };
  } catch {
    // The core has trapped in another request.
    return other;
  }
}
