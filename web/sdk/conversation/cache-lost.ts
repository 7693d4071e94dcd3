// Why this file exists: a CachedContent that is gone is answered in several ways, none of them the
// documented one alone.
import { GeminiError } from '../base/errors.js';

/** Whether the API refused because it does not have the cache that the request named. */
export function isCacheLost(error: unknown): error is GeminiError {
  if (!(error instanceof GeminiError) || ![400, 403, 404].includes(error.status)) return false;
  // Gemini says 403 "CachedContent not found (or permission denied)", Vertex 404; an expired one 400.
  return /cached ?content/i.test(error.message) && /not found|expired|denied/i.test(error.message);
}
