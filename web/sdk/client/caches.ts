// Offers the five methods of `cachedContents`, whose code is loaded when one of them is called first.
import type { Endpoint } from './endpoint.js';
import type { CallOptions, Http } from './http.js';
import { jsonBytes } from './response-body.js';
import type { CacheCalls } from './on-demand/cache-calls.js';
import type { ListOptions } from './on-demand/pages.js';
import type { CachedContent } from '../types/gemini/resources.js';
import { valuePart } from '../internal/json-input.js';
import type { JsonOf } from '../types/json.js';

/**
 * The CachedContents of an API key, or of a project and location on Vertex AI. Names are accepted with or without
 * `cachedContents/`. Every method throws GeminiError if a request fails, StrataError `name.invalid` for an invalid
 * name, and StrataError `feature.unavailable` in Vertex AI's express mode, which has no caches.
 */
export class Caches {
  readonly #load: () => Promise<CacheCalls>;

  /** @internal */
  constructor(http: Http, endpoint: Endpoint) {
    this.#load = async () => {
      const { CacheCalls } = await import('./on-demand/index.js');
      return new CacheCalls(http, endpoint);
    };
  }

  /**
   * Creates a CachedContent from `{ model, contents, systemInstruction, tools, toolConfig, ttl | expireTime }`, such as
   * the body of `Thread.cacheBody` with a `ttl`. Returns it with its `name` and `usageMetadata`. On Vertex AI the
   * `model` of the body becomes the full name that is required there.
   *
   * @throws GeminiError if the request fails, StrataError `json.invalid` for a value that JSON cannot represent,
   *   StrataError `feature.unavailable` in Vertex AI's express mode, as the other methods
   */
  async create(body: JsonOf<CachedContent>, options?: CallOptions): Promise<CachedContent> {
    const bytes = jsonBytes(body);
    return (await this.#load()).create(bytes, options);
  }

  /**
   * Returns the metadata of a cache. The API never returns its contents.
   *
   * @throws GeminiError if the request fails, StrataError `name.invalid` for an invalid name
   */
  async get(name: string, options?: CallOptions): Promise<CachedContent> {
    return (await this.#load()).get(name, options);
  }

  /**
   * Changes the expiration: `{ ttl: '600s' }` or `{ expireTime }`. Nothing else can be changed.
   *
   * @throws GeminiError if the request fails, StrataError `name.invalid` for an invalid name
   */
  async update(
    name: string,
    patch: Pick<CachedContent, 'ttl' | 'expireTime'>,
    options?: CallOptions,
  ): Promise<CachedContent> {
    const body = new TextEncoder().encode(valuePart(patch));
    return (await this.#load()).update(name, body, options);
  }

  /**
   * Deletes a cache, which ends its storage cost.
   *
   * @throws GeminiError if the request fails, StrataError `name.invalid` for an invalid name
   */
  async delete(name: string, options?: CallOptions): Promise<void> {
    return (await this.#load()).delete(name, options);
  }

  /**
   * Iterates over all caches. The next page is requested when you have read the previous one.
   *
   * @throws GeminiError if a request fails
   */
  async *list(options?: ListOptions): AsyncGenerator<CachedContent, void, void> {
    yield* (await this.#load()).list(options);
  }
}
