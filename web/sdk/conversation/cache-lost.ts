// Recognizes the API errors that mean a CachedContent no longer exists.
import { GeminiError } from '../base/errors.js';

/** Returns whether the API refused the request because it does not have the cache that the request names. */
export function isCacheLost(error: unknown): error is GeminiError {
  if (!(error instanceof GeminiError) || ![400, 403, 404].includes(error.status)) return false;
  // Gemini returns 403 "CachedContent not found (or permission denied)", Vertex AI 404, and 400 "Cache content 683
  // is expired.".
  return /cached? ?content/i.test(error.message) && /not found|expired|denied/i.test(error.message);
}
