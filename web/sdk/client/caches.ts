// Calls the five methods of `cachedContents`, the API's explicit context cache
// (https://ai.google.dev/api/caching).
import { resourceName, urlOf, type Endpoint } from './endpoint.js';
import type { CallOptions, Http, HttpRequest } from './http.js';
import { listPages, type ListOptions } from './pages.js';
import { jsonPart, valuePart } from '../base/json-input.js';
import type { Json, JsonInput } from '../types/json.js';

const collection = 'cachedContents';

/**
 * The CachedContents of an API key. Names are accepted with or without `cachedContents/`. Every method throws
 * GeminiError if a request fails, and StrataError `name.invalid` for an invalid name.
 */
export class Caches {
  readonly #http: Http;
  readonly #endpoint: Endpoint;

  constructor(http: Http, endpoint: Endpoint) {
    this.#http = http;
    this.#endpoint = endpoint;
  }

  /**
   * Creates a CachedContent from `{ model, contents, systemInstruction, tools, toolConfig, ttl | expireTime }`, such as
   * the body of `Thread.cacheBody` with a `ttl`. Returns it with its `name` and `usageMetadata`.
   */
  async create(body: JsonInput, options?: CallOptions): Promise<Json> {
    const part = jsonPart(body);
    const bytes = typeof part === 'string' ? new TextEncoder().encode(part) : part;
    return this.#call('POST', collection, { ...options, ...(bytes && { body: bytes }) });
  }

  /** Returns the metadata of a cache. The API never returns its contents. */
  get(name: string, options?: CallOptions): Promise<Json> {
    return this.#call('GET', resourceName(collection, name), options);
  }

  /** Changes the expiration: `{ ttl: '600s' }` or `{ expireTime }`. Nothing else can be changed. */
  async update(name: string, patch: object, options?: CallOptions): Promise<Json> {
    const body = new TextEncoder().encode(valuePart(patch));
    return this.#call('PATCH', resourceName(collection, name), { ...options, body });
  }

  /** Deletes a cache, which ends its storage cost. */
  async delete(name: string, options?: CallOptions): Promise<void> {
    await this.#call('DELETE', resourceName(collection, name), options);
  }

  /** Iterates over all caches. The next page is requested when you have read the previous one. */
  list(options?: ListOptions): AsyncGenerator<Json, void, void> {
    return listPages(this.#http, this.#endpoint, collection, options);
  }

  async #call(
    method: HttpRequest['method'],
    path: string,
    options: Pick<HttpRequest, 'body' | 'signal'> = {},
  ): Promise<Json> {
    return this.#http.json({ ...options, method, url: urlOf(this.#endpoint, path) });
  }
}
