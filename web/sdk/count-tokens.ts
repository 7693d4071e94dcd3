// Why this file exists: countTokens takes bare contents, or a whole request that names its model; the
// wrong one of the two is a 400. The body's own bytes stay as they are.
import { StrataError } from './errors.js';
import type { JsonInput } from './types.js';

/** JSON of any form as text. */
export function jsonText(input: JsonInput): string {
  if (typeof input === 'string') return input;
  if (input instanceof Uint8Array) return new TextDecoder().decode(input);
  return JSON.stringify(input) ?? '';
}

function keysOf(text: string): string[] {
  try {
    if (text.startsWith('{')) return Object.keys(JSON.parse(text));
  } catch {
    // Told below, like everything else that is no object.
  }
  throw new StrataError('json.invalid', 'The body is not a JSON object');
}

/**
 * The body of `models/{model}:countTokens` for a generateContent body.
 *
 * @param resource the model with its collection, e.g. `models/gemini-3.8-flash`
 */
export function countTokensBody(resource: string, body: JsonInput): Uint8Array {
  const text = jsonText(body).trim();
  const keys = keysOf(text);
  const bare = keys.every((key) => key === 'contents');
  const nested = keys.some((key) => /^generate_?content_?request$/i.test(key));
  const model = keys.includes('model') ? '' : `"model":${JSON.stringify(resource)},`;
  const whole = `{"generateContentRequest":{${model}${text.slice(1)}}`;
  return new TextEncoder().encode(bare || nested ? text : whole);
}
