// Why this file exists: the calls of the Gemini API that prompts need, over fetch alone, the same in a
// page, a Worker and Node. Bodies are bytes, so that nothing is written anew on the way.
import { Caches } from './caches.js';
import { countTokensBody } from './count-tokens.js';
import { urlOf, resourceName, type Endpoint } from './endpoint.js';
import { GeminiError } from '../base/errors.js';
import { Http, type CallOptions, type HttpRequest } from './http.js';
import * as must from '../base/options.js';
import { retryOptions, retryPolicy, type RetryOptions } from './retry.js';
import { checkKey } from '../base/secret.js';
import type { JsonInput } from '../types/json.js';

/** How the API is reached. */
export interface GeminiClientOptions {
  /** Sent as `x-goog-api-key` and nowhere else; without it, no such header (a proxy may add one). */
  apiKey?: string | undefined;
  /** Default: `https://generativelanguage.googleapis.com`. */
  baseUrl?: string;
  /** Default: `v1beta`. */
  apiVersion?: string;
  /** Default: the global one. `createEmulator()` gives one that needs no network. */
  fetch?: typeof fetch;
  /** When and how often a refused request is repeated; `false`: never. */
  retry?: RetryOptions | false;
  /**
   * Milliseconds without a sign of life, before the answer begins or between two reads of it, until
   * GeminiError `timeout`. Default: 600,000; 0: no limit.
   */
  timeoutMs?: number;
}

const clientOptions: must.Shape<GeminiClientOptions> = {
  apiKey: must.optional(must.string),
  baseUrl: must.optional(must.string),
  apiVersion: must.optional(must.string),
  fetch: must.optional(must.func),
  retry: must.booleanOr(retryOptions),
  timeoutMs: must.optional(must.nonNegative),
};

/**
 * A client of the Gemini API. Answers that are not 2xx are thrown as GeminiError with Google's status,
 * message and details; code `network` means that no answer came, `timeout` that none came in time.
 *
 * @example
 * const client = new GeminiClient({ apiKey });
 * const response = await client.stream('gemini-3.8-flash', assembled.body);
 */
export class GeminiClient {
  /** The calls of `cachedContents`. */
  readonly caches: Caches;
  readonly #endpoint: Endpoint;
  readonly #http: Http;

  constructor(options: GeminiClientOptions = {}) {
    must.checkOptions(options, clientOptions);
    const { apiKey, fetch, retry, timeoutMs = 600_000 } = options;
    const { baseUrl = 'https://generativelanguage.googleapis.com', apiVersion = 'v1beta' } =
      options;
    checkKey(apiKey);
    this.#endpoint = { baseUrl, apiVersion };
    this.#http = new Http({ apiKey, fetch, retry: retryPolicy(retry), timeoutMs });
    this.caches = new Caches(this.#http, this.#endpoint);
  }

  /**
   * `generateContent`: the whole answer at once. The Response is 2xx, its bytes as they come. What its
   * body fails of is a GeminiError or the abort's reason, but for Chromium's `text()` and `json()`, which
   * make a TypeError of either: read `body`, or give it to `strata.response()`.
   */
  async generate(model: string, body: Uint8Array, options?: CallOptions): Promise<Response> {
    return this.#http.send(this.#request(model, ':generateContent', body, options));
  }

  /** `streamGenerateContent`: server-sent events, to be given to `strata.response()` as they come. */
  async stream(model: string, body: Uint8Array, options?: CallOptions): Promise<Response> {
    return this.#http.send(this.#request(model, ':streamGenerateContent?alt=sse', body, options));
  }

  /** What the API counts for a generateContent body, all its layers included. */
  async countTokens(model: string, body: JsonInput, options?: CallOptions): Promise<number> {
    const bytes = countTokensBody(resourceName('models', model), body);
    const request = this.#request(model, ':countTokens', bytes, options);
    const { totalTokens } = Object(await this.#http.json(request));
    if (typeof totalTokens === 'number') return totalTokens;
    throw new GeminiError('answer.invalid', 'countTokens answered without totalTokens');
  }

  /** Takes the API key out of a text, for what is shown or logged. */
  redact(text: string): string {
    return this.#http.redact(text);
  }

  #request(model: string, verb: string, body: Uint8Array, options?: CallOptions): HttpRequest {
    const url = urlOf(this.#endpoint, resourceName('models', model), verb);
    return { ...options, method: 'POST', url, body };
  }
}
