// Computes the cost of a request with and without a cache from the prices of the release date in the catalogue.
import { readFileSync } from 'node:fs';

const path = new URL('../../src/catalogue/models.json', import.meta.url);
const { models, asOf } = JSON.parse(readFileSync(path, 'utf8'));

/** Returns the prices of a model in USD per million tokens, and its minimum cache size. */
export function priceOf(model) {
  const row = models.find(({ id }) => id === model);
  const price = row.prices.findLast(({ from = '' }) => from <= asOf);
  const { input, cacheRead, storagePerHour } = price;
  const minimum = row.cacheMinimum.gemini ?? row.cacheMinimum;
  return { input, cached: cacheRead, storage: storagePerHour, minimum };
}

/** Returns the tokens that the service reads from its implicit cache, or 0 below the minimum. */
export function implicitTokens({ implicit }, { minimum }) {
  return implicit >= minimum ? implicit : 0;
}

/** Returns the cost of a request without cachedContent. */
export function inlineCost(request, price) {
  const hits = implicitTokens(request, price);
  return price.input * (request.prompt - hits) + price.cached * hits;
}

/** Returns the cost of a request with a cachedContent of `tokens` tokens. */
export function cachedCost({ prompt }, tokens, price) {
  return price.input * (prompt - tokens) + price.cached * tokens;
}

/** Returns the cost of creating a cache: its tokens once, at the input price. */
export const writeCost = (tokens, price) => price.input * tokens;

/** Returns the cost of storing a cache for its whole TTL (https://ai.google.dev/gemini-api/docs/pricing). */
export const storageCost = (tokens, seconds, price) => (price.storage * tokens * seconds) / 3600;
