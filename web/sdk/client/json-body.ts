// Converts a caller's JSON to the bytes of a request body.
import { jsonPart } from '../internal/json-input.js';
import type { JsonInput } from '../types/json.js';

/**
 * Returns the bytes of a body; undefined without one.
 *
 * @throws StrataError `json.invalid`
 */
export function jsonBytes(body: JsonInput | undefined): Uint8Array | undefined {
  const part = jsonPart(body);
  return typeof part === 'string' ? new TextEncoder().encode(part) : part;
}
