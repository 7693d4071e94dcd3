// Builds countTokens bodies. The Gemini API accepts `contents` alone, or a `generateContentRequest` that names its model
// (https://ai.google.dev/api/tokens); anything else fails with 400. Vertex AI accepts some fields of the body itself.
import type { Endpoint } from './endpoint.js';
import { StrataError } from '../base/errors.js';
import { jsonPart } from '../base/json-input.js';
import type { JsonInput } from '../types/json.js';
import { decodeUtf8 } from '../base/utf8.js';

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
export async function countTokensBody(
  endpoint: Endpoint,
  model: string,
  body: JsonInput,
): Promise<Uint8Array> {
  const resource = endpoint.resource('models', model);
  const part = jsonPart(body);
  const text = (part instanceof Uint8Array ? decodeUtf8(part) : (part ?? '')).trim();
  const keys = keysOf(text);
  if (endpoint.backend === 'vertex') {
    const { vertexCountBody } = await import('./on-demand.js');
    return vertexCountBody(text);
  }
  const bare = keys.every((key) => key === 'contents');
  const nested = keys.some((key) => /^generate_?content_?request$/i.test(key));
  const named = keys.includes('model') ? '' : `"model":${JSON.stringify(resource)},`;
  const whole = `{"generateContentRequest":{${named}${text.slice(1)}}`;
  return new TextEncoder().encode(bare || nested ? text : whole);
}
