// Calls the five methods of `cachedContents`, the API's explicit context cache
// (https://ai.google.dev/api/caching).
import { StrataError } from '../base/errors.js';
import type { Endpoint } from './endpoint.js';
import type { CallOptions, Http, HttpRequest } from './http.js';
import { jsonBytes } from './json-body.js';
import { listPages, type ListOptions } from './pages.js';
import { valuePart } from '../base/json-input.js';
import type { CachedContent } from '../types/gemini/cached-content.js';
import type { JsonOf } from '../types/json.js';

const collection = 'cachedContents';

/**
 * The CachedContents of an API key, or of a project and location on Vertex AI. Names are accepted with or without
 * `cachedContents/`. Every method throws GeminiError if a request fails, StrataError `name.invalid` for an invalid
 * name, and StrataError `feature.unavailable` in Vertex AI's express mode, which has no caches.
 */
export class Caches {
  readonly #http: Http;
  readonly #endpoint: Endpoint;

  /** @internal */
  constructor(http: Http, endpoint: Endpoint) {
    this.#http = http;
    this.#endpoint = endpoint;
  }

  /**
   * Creates a CachedContent from `{ model, contents, systemInstruction, tools, toolConfig, ttl | expireTime }`, such as
   * the body of `Thread.cacheBody` with a `ttl`. Returns it with its `name` and `usageMetadata`. On Vertex AI the
   * `model` of the body becomes the full name that is required there.
   */
  async create(body: JsonOf<CachedContent>, options?: CallOptions): Promise<CachedContent> {
    const bytes = jsonBytes(body);
    const endpoint = this.#endpoint;
    if (endpoint.backend !== 'vertex' || !bytes)
      return this.#call('POST', collection, { ...options, body: bytes });
    const { vertexCacheBody } = await import('./on-demand.js');
    const full = vertexCacheBody(endpoint, bytes);
    return this.#call('POST', collection, { ...options, body: full });
  }

  /** Returns the metadata of a cache. The API never returns its contents. */
  async get(name: string, options?: CallOptions): Promise<CachedContent> {
    return this.#call('GET', name, options);
  }

  /** Changes the expiration: `{ ttl: '600s' }` or `{ expireTime }`. Nothing else can be changed. */
  async update(
    name: string,
    patch: Pick<CachedContent, 'ttl' | 'expireTime'>,
    options?: CallOptions,
  ): Promise<CachedContent> {
    const body = new TextEncoder().encode(valuePart(patch));
    return this.#call('PATCH', name, { ...options, body });
  }

  /** Deletes a cache, which ends its storage cost. */
  async delete(name: string, options?: CallOptions): Promise<void> {
    await this.#call('DELETE', name, options);
  }

  /** Iterates over all caches. The next page is requested when you have read the previous one. */
  list(options?: ListOptions): AsyncGenerator<CachedContent, void, void> {
    return listPages<CachedContent>(this.#http, this.#url(collection), collection, options);
  }

  #url(path: string): string {
    const endpoint = this.#endpoint;
    const full = endpoint.below(path);
    if (endpoint.backend === 'vertex' && !full.startsWith('projects/')) throw expressHasNone();
    return endpoint.url(full);
  }

  // `name` is a cache, or the collection itself.
  async #call(
    method: HttpRequest['method'],
    name: string,
    options: Pick<HttpRequest, 'body' | 'signal' | 'onRetry'> = {},
  ): Promise<CachedContent> {
    const isCollection = name === collection;
    const path = isCollection ? name : this.#endpoint.resource(collection, name);
    const url = this.#url(path);
    return (await this.#http.json({ ...options, method, url })) as CachedContent;
  }
}

function expressHasNone(): StrataError {
  const message =
    'Vertex AI in express mode has no cachedContents. Pass vertexai with a project and a token.';
  return new StrataError('feature.unavailable', message);
}
