// Calls the five methods of `cachedContents`, the API's explicit context cache (https://ai.google.dev/api/caching),
// and builds bodies of countTokens (https://ai.google.dev/api/tokens). Vertex AI takes both bodies in a form of its
// own.
import type { ListOptions } from '../sdk/client/resources.js';
import type { Endpoint } from '../sdk/client/endpoint.js';
import { decodeUtf8 } from '../sdk/internal/bytes.js';
import { StrataError } from '../sdk/internal/errors.js';
import type { CachedContent } from '../sdk/types/gemini/resources.js';
import type { CallOptions, Http } from '../sdk/client/http.js';
import { listPages } from './requests.js';

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
function vertexCountBody(text: string): Uint8Array {
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
function vertexCacheBody(endpoint: Endpoint, body: Uint8Array): Uint8Array {
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

const collection = 'cachedContents';

/**
 * Implements `Caches`.
 */
export class CacheCalls {
  readonly #http: Http;
  readonly #endpoint: Endpoint;

  /** @throws StrataError `feature.unavailable` in Vertex AI's express mode */
  constructor(http: Http, endpoint: Endpoint) {
    if (endpoint.isExpress) throw expressHasNone();
    this.#http = http;
    this.#endpoint = endpoint;
  }

  async create(given: Uint8Array | undefined, options?: CallOptions): Promise<CachedContent> {
    const endpoint = this.#endpoint;
    const isVertex = endpoint.backend === 'vertex';
    const body = isVertex && given ? vertexCacheBody(endpoint, given) : given;
    const url = endpoint.url(endpoint.below(collection));
    return (await this.#http.call({ method: 'POST', url, body }, options)) as CachedContent;
  }

  async get(name: string, options?: CallOptions): Promise<CachedContent> {
    const url = this.#url(name);
    return (await this.#http.call({ method: 'GET', url }, options)) as CachedContent;
  }

  async update(name: string, body: Uint8Array, options?: CallOptions): Promise<CachedContent> {
    const url = this.#url(name);
    return (await this.#http.call({ method: 'PATCH', url, body }, options)) as CachedContent;
  }

  async delete(name: string, options?: CallOptions): Promise<void> {
    await this.#http.call({ method: 'DELETE', url: this.#url(name) }, options);
  }

  list(options?: ListOptions): AsyncGenerator<CachedContent, void, void> {
    const url = this.#endpoint.url(this.#endpoint.below(collection));
    return listPages<CachedContent>(this.#http, url, { field: collection }, options);
  }

  #url(name: string): string {
    const endpoint = this.#endpoint;
    return endpoint.url(endpoint.below(endpoint.resource(collection, name)));
  }
}

function expressHasNone(): StrataError {
  const message =
    'Vertex AI in express mode has no cachedContents. Pass vertexai with a project and a token.';
  return new StrataError('feature.unavailable', message);
}

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
