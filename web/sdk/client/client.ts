// Calls the Gemini API with fetch, in browsers, Workers and Node. Request bodies are bytes and are sent unchanged.
import { Caches } from './caches.js';
import { countTokensBody } from './count-tokens.js';
import { urlOf, resourceName, type Endpoint } from './endpoint.js';
import { GeminiError } from '../base/errors.js';
import { Http, type CallOptions, type HttpRequest } from './http.js';
import { Models } from './models.js';
import * as must from '../base/options.js';
import { retryOptions, retryPolicy, type RetryOptions } from './retry.js';
import { checkKey } from '../base/redact.js';
import type { JsonInput } from '../types/json.js';

/** Options of `GeminiClient`. */
export interface GeminiClientOptions {
  /** Sent only in the header `x-goog-api-key`. Without it the header is omitted, for a proxy that adds it. */
  apiKey?: string | undefined;
  /** Default: `https://generativelanguage.googleapis.com`. */
  baseUrl?: string;
  /** Default: `v1beta`. */
  apiVersion?: string;
  /** Default: the global `fetch`. `createEmulator()` returns one that needs no network. */
  fetch?: typeof fetch;
  /** When and how often a failed request is sent again; `false` disables retries. */
  retry?: RetryOptions | false;
  /**
   * Milliseconds without data, before the response begins or between two reads of its body, after which GeminiError
   * `timeout` is thrown. 0 means no limit. Default: 600,000.
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
 * A client of the Gemini API.
 *
 * Every call throws GeminiError: with the API's status, message and details for a response that is not 2xx,
 * `network` if there was no response, `timeout` if there was none in time. An aborted call throws the signal's
 * reason. The API key is in no error.
 *
 * @example
 * const client = new GeminiClient({ apiKey });
 * const response = await client.stream('gemini-3.8-flash', assembled.body);
 */
export class GeminiClient {
  /** The methods of `cachedContents`. */
  readonly caches: Caches;
  /** What the API says about its models. */
  readonly models: Models;
  readonly #endpoint: Endpoint;
  readonly #http: Http;
  /** The URL of each model and verb. */
  readonly #urls = new Map<string, string>();

  /** @throws StrataError `field.unknown`, `field.invalid` or `key.invalid` */
  constructor(options: GeminiClientOptions = {}) {
    must.checkOptions(options, clientOptions);
    const { apiKey, fetch, retry, timeoutMs = 600_000 } = options;
    const { baseUrl = 'https://generativelanguage.googleapis.com', apiVersion = 'v1beta' } =
      options;
    checkKey(apiKey);
    this.#endpoint = { baseUrl, apiVersion };
    this.#http = new Http({ apiKey, fetch, retry: retryPolicy(retry), timeoutMs });
    this.caches = new Caches(this.#http, this.#endpoint);
    this.models = new Models(this.#http, this.#endpoint);
  }

  /** The base URL of the API that this client calls. */
  get baseUrl(): string {
    return this.#endpoint.baseUrl;
  }

  /**
   * Calls `generateContent` and returns the 2xx response. If the response breaks off, reading `body` throws a
   * GeminiError or the abort's reason; Chromium's `text()` and `json()` replace both with a TypeError.
   *
   * @throws StrataError `name.invalid` for an invalid model name
   */
  async generate(model: string, body: Uint8Array, options?: CallOptions): Promise<Response> {
    return this.#http.send(this.#request(model, ':generateContent', body, options));
  }

  /** Calls `streamGenerateContent` and returns server-sent events, for `strata.response()`. Throws like `generate`. */
  async stream(model: string, body: Uint8Array, options?: CallOptions): Promise<Response> {
    return this.#http.send(this.#request(model, ':streamGenerateContent?alt=sse', body, options));
  }

  /**
   * Returns the API's token count for a whole generateContent body. Throws like `generate`.
   *
   * @throws StrataError `json.invalid` for a body that is not a JSON object
   */
  async countTokens(model: string, body: JsonInput, options?: CallOptions): Promise<number> {
    const bytes = countTokensBody(resourceName('models', model), body);
    const request = this.#request(model, ':countTokens', bytes, options);
    const { totalTokens } = Object(await this.#http.json(request));
    if (typeof totalTokens === 'number') return totalTokens;
    throw new GeminiError('answer.invalid', 'The response of countTokens has no totalTokens');
  }

  /** Replaces the API key in a text that is displayed or logged. */
  redact(text: string): string {
    return this.#http.redact(text);
  }

  #request(model: string, verb: string, body: Uint8Array, options?: CallOptions): HttpRequest {
    const key = `${model}${verb}`;
    const url = this.#urls.get(key) ?? urlOf(this.#endpoint, resourceName('models', model), verb);
    this.#urls.set(key, url);
    return { ...options, method: 'POST', url, body };
  }
}
