// Calls the five methods of `cachedContents`, the API's explicit context cache
// (https://ai.google.dev/api/caching).
import { StrataError } from '../../internal/errors.js';
import type { CachedContent } from '../../types/gemini/resources.js';
import type { Endpoint } from '../endpoint.js';
import type { CallOptions, Http } from '../http.js';
import { listPages, type ListOptions } from './pages.js';
import { vertexCacheBody } from './vertex-bodies.js';

const collection = 'cachedContents';

/**
 * Implements `Caches`.
 *
 * @internal
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
