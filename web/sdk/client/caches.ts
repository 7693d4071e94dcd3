// Why this file exists: the five calls of `cachedContents`, the API's explicit context cache.
import { resourceName, urlOf, type Endpoint } from './endpoint.js';
import type { CallOptions, Http, HttpRequest } from './http.js';
import { jsonPart, valuePart } from '../base/json-input.js';
import type { Json, JsonInput } from '../types/json.js';

const collection = 'cachedContents';

/** What only `list` needs besides a signal. */
export interface ListOptions extends CallOptions {
  /** Caches a request brings, at most 1,000. Default: 1,000. */
  pageSize?: number;
}

/** The caches of this key. A name may be given with or without `cachedContents/`. */
export class Caches {
  readonly #http: Http;
  readonly #endpoint: Endpoint;

  constructor(http: Http, endpoint: Endpoint) {
    this.#http = http;
    this.#endpoint = endpoint;
  }

  /** Makes a CachedContent of `{ model, contents, systemInstruction, tools, toolConfig, ttl | expireTime }`. */
  async create(body: JsonInput, options?: CallOptions): Promise<Json> {
    const part = jsonPart(body);
    const bytes = typeof part === 'string' ? new TextEncoder().encode(part) : part;
    return this.#call('POST', collection, { ...options, ...(bytes && { body: bytes }) });
  }

  /** What is known of a cache; the API never gives back its contents. */
  get(name: string, options?: CallOptions): Promise<Json> {
    return this.#call('GET', resourceName(collection, name), options);
  }

  /** Changes when it ends, `{ ttl: '600s' }` or `{ expireTime }`: nothing else can be changed. */
  async update(name: string, patch: object, options?: CallOptions): Promise<Json> {
    const body = new TextEncoder().encode(valuePart(patch));
    return this.#call('PATCH', resourceName(collection, name), { ...options, body });
  }

  /** Ends a cache, and what it costs. */
  async delete(name: string, options?: CallOptions): Promise<void> {
    await this.#call('DELETE', resourceName(collection, name), options);
  }

  /** All caches, asked for page by page while they are read. */
  async *list({ pageSize = 1000, signal }: ListOptions = {}): AsyncGenerator<Json, void, void> {
    let token = '';
    do {
      const query = token === '' ? '' : `&pageToken=${encodeURIComponent(token)}`;
      const page = await this.#call('GET', collection, { signal }, `?pageSize=${pageSize}${query}`);
      const { cachedContents = [], nextPageToken = '' } = Object(page);
      yield* cachedContents;
      token = nextPageToken;
    } while (token !== '');
  }

  async #call(
    method: HttpRequest['method'],
    path: string,
    options: Pick<HttpRequest, 'body' | 'signal'> = {},
    query = '',
  ): Promise<Json> {
    return this.#http.json({ ...options, method, url: urlOf(this.#endpoint, path, query) });
  }
}
