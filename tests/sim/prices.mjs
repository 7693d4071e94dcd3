// Why this file exists: what one request costs under each way of caching, by the catalogue's prices.
import { readFileSync } from 'node:fs';

const path = new URL('../../src/catalogue/catalogue.json', import.meta.url);
const { models } = JSON.parse(readFileSync(path, 'utf8'));

/** Prices of a model, USD a million tokens, and its cache minimum. */
export function priceOf(model) {
  const { price, cacheMinimum } = models.find(({ id }) => id === model);
  const { input, cacheRead, storagePerHour } = price;
  return { input, cached: cacheRead, storage: storagePerHour, minimum: cacheMinimum };
}

/** Tokens that the service reads from its own cache: from the minimum on. */
export function implicitTokens({ implicit }, { minimum }) {
  return implicit >= minimum ? implicit : 0;
}

/** A request without a CachedContent. */
export function inlineCost(request, price) {
  const hits = implicitTokens(request, price);
  return price.input * (request.prompt - hits) + price.cached * hits;
}

/** A request that names a CachedContent of `tokens`. */
export function cachedCost({ prompt }, tokens, price) {
  return price.input * (prompt - tokens) + price.cached * tokens;
}

/** Writing a cache: its tokens once, as input. */
export const writeCost = (tokens, price) => price.input * tokens;

/** Keeping a cache. All of the time that was asked for is paid, as the price list reads. */
export const storageCost = (tokens, seconds, price) => (price.storage * tokens * seconds) / 3600;
