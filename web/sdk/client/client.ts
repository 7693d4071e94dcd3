// Calls the Gemini API or Vertex AI with fetch, in browsers, Workers and Node. Request bodies are bytes and are sent
// unchanged.
import { Access, type HeaderSource } from './access.js';
import { Caches, Files, Interactions, Models } from './resources.js';
import { endpointOf, vertexOptions, type Endpoint, type VertexOptions } from './endpoint.js';
import { GeminiError } from '../internal/errors.js';
import { Http, passedOn, type CallOptions, type HttpRequest } from './http.js';
import { jsonBytes, maxAnswerBytes as defaultMaxAnswerBytes } from './response-body.js';
import * as must from '../internal/options.js';
import { retryOptions, retryPolicy, type RetryListener, type RetryOptions } from './send-again.js';
import { checkKey, Secrets } from '../internal/redact.js';
import type { Backend } from '../types/model.js';
import type { Json, JsonInput } from '../types/json.js';
import type { Fetch } from '../types/platform.js';

/** Options of `GeminiClient`. */
export interface GeminiClientOptions {
  /** Sent only in the header `x-goog-api-key`. Without it the header is omitted, for a proxy that adds it. */
  apiKey?: string | undefined;
  /**
   * Calls Vertex AI: with a project, a location and a token, or with `true` and an `apiKey` in express mode.
   * Default: the Gemini API.
   */
  vertexai?: VertexOptions | boolean | undefined;
  /** Default: `https://generativelanguage.googleapis.com`, or Vertex AI's host for the location. */
  baseUrl?: string | undefined;
  /** Default: `v1beta`, on Vertex AI `v1beta1`. */
  apiVersion?: string | undefined;
  /**
   * Headers of each request, or a function that returns them. Their values are kept out of errors like the key,
   * but for a few that are no secrets, such as `user-agent`. Google's APIs refuse unknown headers from browsers.
   */
  headers?: HeaderSource | undefined;
  /** Default: the global `fetch`. `createEmulator()` returns one that needs no network. */
  fetch?: Fetch | undefined;
  /** When and how often a failed request is sent again; `false` disables retries. */
  retry?: RetryOptions | false | undefined;
  /** Called before each retry of any call of this client. */
  onRetry?: RetryListener | undefined;
  /**
   * Milliseconds without data, before the response begins or between two reads of its body, after which GeminiError
   * `timeout` is thrown. 0 means no limit. Default: 600,000.
   */
  timeoutMs?: number | undefined;
  /**
   * The longest answer in bytes, after which GeminiError `answer.too_long` is thrown. 0 means no limit. Default:
   * 67,108,864 (64 MiB). Of an error, at most 1 MiB is read.
   */
  maxAnswerBytes?: number | undefined;
}

/** A request to any method of the API. */
export interface RequestOptions extends CallOptions {
  /** Default: `GET`, with a body `POST`. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * The path below the API's version, such as `models/gemini-embedding-001:embedContent`, without a slash at its
   * start. On Vertex AI it is below the project and location, unless it begins with `projects/`, or is a GET of
   * `publishers/…`.
   */
  path: string;
  /** The parameters of the URL. Undefined ones are left out. Never put a key there. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** JSON as a value, text or bytes. */
  body?: JsonInput;
}

const clientOptions: must.Shape<GeminiClientOptions> = {
  apiKey: must.optional(must.string),
  vertexai: must.booleanOr(vertexOptions),
  baseUrl: must.optional(must.baseUrl),
  apiVersion: must.optional(must.string),
  headers: must.functionOr(must.optional(must.object)),
  fetch: must.optional(must.func),
  retry: must.booleanOr(retryOptions),
  onRetry: must.optional(must.func),
  timeoutMs: must.optional(must.nonNegative),
  maxAnswerBytes: must.optional(must.nonNegative),
};

/**
 * Returns whether a response of `stream` that is read with `readerOf` has no other reader: what replaces the client's
 * method may read it.
 *
 * @internal
 */
export const readerOnly = (client: GeminiClient): boolean =>
  client.stream === GeminiClient.prototype.stream &&
  Object(client.interactions).stream === Interactions.prototype.stream;

/**
 * A client of the Gemini API, or of Vertex AI: docs/client.md.
 *
 * Every call throws GeminiError: with the API's status, message and details for a response that is not 2xx,
 * `network` if there was no response, `timeout` if there was none in time. Its `kind` tells rate limits, missing
 * things, refused keys and failing servers apart. An aborted call throws the signal's reason. API keys, tokens and
 * secret headers are in no error.
 *
 * @example
 * const client = new GeminiClient({ apiKey });
 * const response = await client.stream('gemini-3.8-flash', assembled.body);
 *
 * @example
 * const token = async () => (await auth.getAccessToken()) ?? '';
 * const vertex = new GeminiClient({ vertexai: { project: 'my-project', location: 'eu', token } });
 */
export class GeminiClient {
  /** The methods of `cachedContents`. */
  readonly caches: Caches;
  /** The Files API: upload, wait, get, list, delete. Vertex AI has none. */
  readonly files: Files;
  /** The methods of the Interactions API. */
  readonly interactions: Interactions;
  /** What the API says about its models. */
  readonly models: Models;
  readonly #endpoint: Endpoint;
  readonly #http: Http;
  /** The URL of each model and verb. */
  readonly #urls = new Map<string, string>();

  /** @throws StrataError `field.unknown`, `field.invalid` or `key.invalid` */
  constructor(options: GeminiClientOptions = {}) {
    must.checkOptions(options, clientOptions);
    const { apiKey, headers, fetch, retry, onRetry, timeoutMs = 600_000 } = options;
    const { maxAnswerBytes = defaultMaxAnswerBytes } = options;
    const { token } = Object(options.vertexai) as VertexOptions;
    checkKey(apiKey);
    const secrets = new Secrets(apiKey);
    const access = headers || token ? new Access({ apiKey, headers, token }, secrets) : undefined;
    this.#endpoint = endpointOf(options);
    const policy = { retry: retryPolicy(retry), onRetry, timeoutMs, maxAnswerBytes };
    this.#http = new Http({ apiKey, access, secrets, fetch, ...policy });
    this.caches = new Caches(this.#http, this.#endpoint);
    this.files = new Files(this.#http, this.#endpoint);
    this.interactions = new Interactions(this.#http, this.#endpoint);
    this.models = new Models(this.#http, this.#endpoint);
  }

  /** The base URL of the API that this client calls. */
  get baseUrl(): string {
    return this.#endpoint.baseUrl;
  }

  /** The service that this client calls, whose rules a `Conversation` with it follows by default. */
  get backend(): Backend {
    return this.#endpoint.backend;
  }

  /**
   * Calls `generateContent` and returns the 2xx response. If the response breaks off, reading `body` throws a
   * GeminiError or the abort's reason; Chromium's `text()` and `json()` replace both with a TypeError.
   *
   * @throws StrataError `name.invalid` for an invalid model name, `field.invalid` for a body that is not bytes
   * @throws GeminiError if the request fails
   */
  async generate(model: string, body: Uint8Array, options?: CallOptions): Promise<Response> {
    return this.#http.send(this.#request(model, ':generateContent', body, options));
  }

  /**
   * Calls `streamGenerateContent` and returns server-sent events, for `strata.response()`.
   *
   * @throws StrataError and GeminiError as `generate`
   */
  async stream(model: string, body: Uint8Array, options?: CallOptions): Promise<Response> {
    return this.#http.send(this.#request(model, ':streamGenerateContent?alt=sse', body, options));
  }

  /**
   * Returns the API's token count for a whole generateContent body. Vertex AI counts `contents`,
   * `systemInstruction`, `tools` and `generationConfig` only, so other fields are left out there.
   *
   * @throws StrataError `json.invalid` for a body that is not a JSON object
   * @throws GeminiError if the request fails
   */
  async countTokens(model: string, body: JsonInput, options?: CallOptions): Promise<number> {
    const given = jsonBytes(body);
    const { countTokensBody } = await import('../../files/index.js');
    const bytes = countTokensBody(this.#endpoint, model, given);
    const request = this.#request(model, ':countTokens', bytes, options);
    const { totalTokens } = Object(await this.#http.json(request));
    if (typeof totalTokens === 'number') return totalTokens;
    throw new GeminiError('answer.invalid', 'The response of countTokens has no totalTokens');
  }

  /**
   * Calls any method of the API and returns its JSON, with the same retries, time limit and errors as the other
   * methods. `Result` is what you expect; it is not checked.
   *
   * @throws GeminiError, StrataError `name.invalid` for a path that is not below the API's version, StrataError
   *   `json.invalid` for a body that is not JSON
   *
   * @example
   * const { embedding } = await client.request<{ embedding: { values: number[] } }>({
   *   method: 'POST',
   *   path: 'models/gemini-embedding-001:embedContent',
   *   body: { content: { parts: [{ text: 'Hello' }] } },
   * });
   */
  async request<Result = Json>(options: RequestOptions): Promise<Result> {
    const { requestOf } = await import('../../files/index.js');
    const body = jsonBytes(Object(options).body as JsonInput | undefined);
    return (await this.#http.json(requestOf(this.#endpoint, options, body))) as Result;
  }

  /** Replaces the API key and other secrets in a text that is displayed or logged. */
  redact(text: string): string {
    return this.#http.redact(text);
  }

  #request(model: string, verb: string, body: Uint8Array, options?: CallOptions): HttpRequest {
    const call = passedOn(options);
    const key = `${model}${verb}`;
    let url = this.#urls.get(key);
    if (url === undefined) this.#urls.set(key, (url = this.#urlOf(model, verb)));
    must.body(body, '/body');
    return { method: 'POST', url, body, ...call };
  }

  #urlOf(model: string, verb: string): string {
    const endpoint = this.#endpoint;
    return endpoint.url(endpoint.below(endpoint.resource('models', model)), verb);
  }
}
