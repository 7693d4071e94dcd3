// Rewrites request bodies where Vertex AI's form differs from the Gemini API's. The bytes of each field are kept.
import type { Endpoint } from '../endpoint.js';
import { decodeUtf8 } from '../../internal/bytes.js';
import { StrataError } from '../../internal/errors.js';

/** A field of a JSON object: its name, and both with its value as they stand in the text. */
interface Member {
  name: string;
  text: string;
}

/** Returns the offset behind the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); ; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
}

/**
 * Splits the text of a JSON object into its fields.
 *
 * @throws StrataError `json.invalid` for any other text
 */
function membersOf(text: string): Member[] {
  checkObject(text);
  const members: Member[] = [];
  const structure = /["{}[\],]/g;
  let [depth, start] = [0, 0];
  for (let match = structure.exec(text); match; match = structure.exec(text)) {
    const [found] = match;
    if (found === '"') structure.lastIndex = endOfString(text, match.index);
    if (found === '{' || found === '[') depth++;
    const isBetween = depth === 1 && (found === ',' || found === '}');
    if (isBetween) members.push(memberOf(text.slice(start, match.index)));
    if (depth === 1 && (found === '{' || found === ',')) start = match.index + 1;
    if (found === '}' || found === ']') depth--;
  }
  return members.filter(({ text: member }) => member.trim() !== '');
}

function checkObject(text: string): void {
  try {
    if (/^\s*\{/.test(text)) return void JSON.parse(text);
  } catch {
    // Throws below, as for any other text that is not an object.
  }
  throw new StrataError('json.invalid', 'The body is not a JSON object');
}

function memberOf(text: string): Member {
  const start = text.indexOf('"');
  const name = start < 0 ? '""' : text.slice(start, endOfString(text, start));
  return { name: JSON.parse(name) as string, text };
}

const objectOf = (members: string[]): Uint8Array =>
  new TextEncoder().encode(`{${members.join(',')}}`);

// https://cloud.google.com/vertex-ai/docs/reference/rest/v1/projects.locations.publishers.models/countTokens
const counted = /^(?:contents|instances|system_?instruction|tools|generation_?config)$/i;

/** Returns the body of Vertex AI's countTokens: what it counts of a generateContent body. */
export function vertexCountBody(text: string): Uint8Array {
  const members = unwrapped(text).filter(({ name }) => counted.test(name));
  return objectOf(members.map((member) => member.text));
}

// A body in the form of the Gemini API has the request in a field.
function unwrapped(text: string): Member[] {
  const members = membersOf(text);
  const nested = members.find(({ name }) => /^generate_?content_?request$/i.test(name));
  return nested ? membersOf(nested.text.slice(nested.text.indexOf(':') + 1)) : members;
}

/** Returns the body of `cachedContents.create` with the model's full name, which Vertex AI requires. */
export function vertexCacheBody(endpoint: Endpoint, body: Uint8Array): Uint8Array {
  const members = membersOf(decodeUtf8(body));
  const texts = members.map(({ name, text }) => {
    if (name !== 'model') return text;
    const model: unknown = JSON.parse(text.slice(text.indexOf(':') + 1));
    if (typeof model !== 'string') return text;
    const full = endpoint.below(endpoint.resource('models', model));
    return `"model":${JSON.stringify(full)}`;
  });
  return objectOf(texts);
}
