// Builds countTokens bodies. The Gemini API accepts `contents` alone, or a `generateContentRequest` that names its model
// (https://ai.google.dev/api/tokens); anything else fails with 400. Vertex AI accepts some fields of the body itself.
import type { Endpoint } from '../endpoint.js';
import { StrataError } from '../../internal/errors.js';
import { decodeUtf8 } from '../../internal/bytes.js';
import { vertexCountBody } from './vertex-bodies.js';

function keysOf(text: string): string[] {
  try {
    if (text.startsWith('{')) return Object.keys(JSON.parse(text));
  } catch {
    // Throws below, as for any other text that is not an object.
  }
  throw new StrataError('json.invalid', 'The body is not a JSON object');
}

/**
 * Returns the body of `models/{model}:countTokens` for a generateContent body, whose bytes are kept.
 *
 * @throws StrataError `json.invalid` for a body that is not a JSON object
 */
export function countTokensBody(
  endpoint: Endpoint,
  model: string,
  body: Uint8Array | undefined,
): Uint8Array {
  const resource = endpoint.resource('models', model);
  const text = decodeUtf8(body ?? new Uint8Array(0)).trim();
  const keys = keysOf(text);
  if (endpoint.backend === 'vertex') return vertexCountBody(text);
  const bare = keys.every((key) => key === 'contents');
  const nested = keys.some((key) => /^generate_?content_?request$/i.test(key));
  const named = keys.includes('model') ? '' : `"model":${JSON.stringify(resource)},`;
  const whole = `{"generateContentRequest":{${named}${text.slice(1)}}`;
  return new TextEncoder().encode(bare || nested ? text : whole);
}
