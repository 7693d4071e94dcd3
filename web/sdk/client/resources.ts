// Offers the methods of files, caches, models and interactions. Their code is loaded when one of them is called first.
import type { Endpoint } from './endpoint.js';
import { passedOn, type CallOptions, type Http } from './http.js';
import * as must from '../internal/options.js';
import type { Interaction } from '../types/gemini/interaction.js';
import type { GeminiFile, CachedContent, ModelInfo } from '../types/gemini/resources.js';
import { jsonBytes } from './response-body.js';
import { valuePart } from '../internal/json-input.js';
import type { JsonInput, JsonOf } from '../types/json.js';

/** Options of a list. */
export interface ListOptions extends CallOptions {
  /** The number of entries per request, which is also the maximum. Default: 1,000; for files 100. */
  pageSize?: number;
}

/** A Blob or a File of the runtime. */
export interface UploadBlob {
  readonly size: number;
  readonly type: string;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

/** A ReadableStream of bytes of the runtime. */
export interface UploadStream {
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
    cancel(): Promise<void>;
  };
}

/** What can be uploaded: a Blob or a File, bytes, or a ReadableStream, which is read once and whose size must be known. */
export type UploadSource = UploadBlob | Uint8Array | ArrayBuffer | UploadStream;

/** How much of a file the API has. */
export interface UploadProgress {
  sentBytes: number;
  totalBytes: number;
}

/** Options of `upload`. */
export interface UploadOptions extends CallOptions {
  /** Required, unless `data` is a Blob or a File with a type. */
  mimeType?: string;
  /** A name for people, at most 512 characters. */
  displayName?: string;
  /** The id: up to 40 of `a-z`, `0-9` and `-`. Default: the API chooses one. */
  name?: string;
  /** The number of bytes. Required for a ReadableStream. */
  sizeBytes?: number;
  /**
   * The number of bytes per request, rounded up to a multiple of 262,144. One chunk is held in memory.
   * Default: 8,388,608.
   */
  chunkBytes?: number;
  /** Called after each chunk. */
  onProgress?: (progress: UploadProgress) => void;
}

/** Options of `waitUntilActive`. */
export interface WaitOptions extends CallOptions {
  /** The longest wait in milliseconds; 0 means no limit. Default: 600,000. */
  timeoutMs?: number;
  /** The delay before the second question in milliseconds. Each is 1.5 times the previous one. Default: 1,000. */
  initialMs?: number;
  /** The longest delay in milliseconds. Default: 10,000. */
  maxMs?: number;
}

const loadFiles = async (http: Http, endpoint: Endpoint) =>
  new (await import('../../files/index.js')).FileCalls(http, endpoint);
const loadCaches = async (http: Http, endpoint: Endpoint) =>
  new (await import('../../files/index.js')).CacheCalls(http, endpoint);
const loadInteractions = async (http: Http, endpoint: Endpoint) =>
  new (await import('../../files/index.js')).InteractionCalls(http, endpoint);
const loadModels = async (http: Http, endpoint: Endpoint) =>
  new (await import('../../files/index.js')).ModelCalls(http, endpoint);

/**
 * The files of an API key's project, which the API keeps for 48 hours. Names are accepted with or without `files/`.
 * Every method throws GeminiError if a request fails, StrataError `name.invalid` for an invalid name, and StrataError
 * `feature.unavailable` on Vertex AI, which has no Files API.
 */
export class Files {
  readonly #load: () => ReturnType<typeof loadFiles>;

  /** @internal */
  constructor(http: Http, endpoint: Endpoint) {
    this.#load = () => loadFiles(http, endpoint);
  }

  /**
   * Uploads a file in chunks and returns it as soon as the API has all bytes. It may be `PROCESSING` then, as videos
   * are: await `waitUntilActive` before you use it. A chunk that fails is sent again from where the API stopped.
   *
   * @throws GeminiError if the upload fails, StrataError `field.invalid` without a MIME type, or without the size of
   *   a stream
   *
   * @example
   * const onProgress = ({ sentBytes, totalBytes }) => console.log(`${sentBytes} of ${totalBytes}`);
   * const uploaded = await client.files.upload(video, { mimeType: 'video/mp4', onProgress });
   * const file = await client.files.waitUntilActive(uploaded);
   * const part = { fileData: { fileUri: file.uri, mimeType: file.mimeType } };
   */
  async upload(data: UploadSource, options?: UploadOptions): Promise<GeminiFile> {
    return (await this.#load()).upload(data, options);
  }

  /**
   * Asks for a file, less and less often, until it is `ACTIVE`, and returns it.
   *
   * @throws GeminiError `file.failed` if the API could not process it, `file.slow` if it takes longer than
   *   `timeoutMs`, and GeminiError if a request fails
   *
   * @example
   * const file = await client.files.waitUntilActive(uploaded, { timeoutMs: 120_000 });
   */
  async waitUntilActive(file: GeminiFile | string, options?: WaitOptions): Promise<GeminiFile> {
    return (await this.#load()).waitUntilActive(file, options);
  }

  /**
   * Returns the metadata of a file.
   *
   * @throws GeminiError if the request fails, of the kind `notFound` for a file that the API does not have or no longer
   *   has; StrataError `name.invalid` for an invalid name
   *
   * @example
   * const { state, expirationTime } = await client.files.get('files/abc');
   */
  async get(name: string, options?: CallOptions): Promise<GeminiFile> {
    return (await this.#load()).get(name, options);
  }

  /**
   * Iterates over all files. The next page is requested when you have read the previous one.
   *
   * @throws GeminiError if a request fails
   *
   * @example
   * for await (const { name, sizeBytes } of client.files.list()) console.log(name, sizeBytes);
   */
  async *list(options?: ListOptions): AsyncGenerator<GeminiFile, void, void> {
    yield* (await this.#load()).list(options);
  }

  /**
   * Deletes a file.
   *
   * @throws GeminiError if the request fails, StrataError `name.invalid` for an invalid name
   *
   * @example
   * await client.files.delete(file.name);
   */
  async delete(name: string, options?: CallOptions): Promise<void> {
    return (await this.#load()).delete(name, options);
  }
}

/**
 * The CachedContents of an API key, or of a project and location on Vertex AI. Names are accepted with or without
 * `cachedContents/`. Every method throws GeminiError if a request fails, StrataError `name.invalid` for an invalid
 * name, and StrataError `feature.unavailable` in Vertex AI's express mode, which has no caches.
 */
export class Caches {
  readonly #load: () => ReturnType<typeof loadCaches>;

  /** @internal */
  constructor(http: Http, endpoint: Endpoint) {
    this.#load = () => loadCaches(http, endpoint);
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

/**
 * The models that an API key may use, or on Vertex AI those that Google publishes, which have no token limits there.
 * Every method throws GeminiError, and StrataError `name.invalid` for an invalid name.
 */
export class Models {
  readonly #load: () => ReturnType<typeof loadModels>;

  /** @internal */
  constructor(http: Http, endpoint: Endpoint) {
    this.#load = () => loadModels(http, endpoint);
  }

  /**
   * Returns a model by its name, with or without `models/`.
   *
   * @throws GeminiError if the request fails, StrataError `name.invalid` for an invalid name
   *
   * @example
   * const limits = await client.models.get('gemini-3.8-flash');
   * const chat = new Conversation(strata, client, { model: limits.name, limits });
   */
  async get(name: string, options?: CallOptions): Promise<ModelInfo> {
    return (await this.#load()).get(name, options);
  }

  /**
   * Iterates over all models. The next page is requested when you have read the previous one.
   *
   * @throws GeminiError if a request fails
   */
  async *list(options?: ListOptions): AsyncGenerator<ModelInfo, void, void> {
    yield* (await this.#load()).list(options);
  }
}

/**
 * The methods of the Interactions API: docs/interactions.md. Bodies have the fields of
 * https://ai.google.dev/api/interactions-api and are sent as they are. Every method throws GeminiError, whose `code` is
 * `api.` and the word of the error, such as `api.invalid_request`, and StrataError `name.invalid` for an invalid id. An
 * interaction that was sent with `store: false` cannot be read, continued or deleted.
 */
export class Interactions {
  readonly #http: Http;
  readonly #endpoint: Endpoint;
  readonly #load: () => ReturnType<typeof loadInteractions>;

  /** @internal */
  constructor(http: Http, endpoint: Endpoint) {
    this.#http = http;
    this.#endpoint = endpoint;
    this.#load = () => loadInteractions(http, endpoint);
  }

  /**
   * Creates an interaction and returns it with its steps; one with `background: true` at once, while it runs.
   *
   * @throws GeminiError if the request fails, StrataError `json.invalid` for a body that is not JSON
   *
   * @example
   * const { steps, status } = await client.interactions.create({ model, input: 'Hello', store: false });
   */
  async create(body: JsonInput, options?: CallOptions): Promise<Interaction> {
    const bytes = jsonBytes(body);
    return (await this.#load()).create(bytes, options);
  }

  /**
   * Creates an interaction with a body that says `"stream": true`, and returns its server-sent events, for
   * `strata.response({ wire: 'interactions' })`.
   *
   * @throws GeminiError if the request fails, StrataError `field.invalid` for a body that is not bytes
   */
  async stream(body: Uint8Array, options?: CallOptions): Promise<Response> {
    const call = passedOn(options);
    must.body(body, '/body');
    const url = this.#endpoint.url(this.#endpoint.below('interactions'), '?alt=sse');
    return this.#http.send({ method: 'POST', url, body, ...call });
  }

  /**
   * Returns a stored interaction with all its steps, also those of its input.
   *
   * @throws GeminiError if the request fails, of the kind `notFound` for one that is not stored or no longer stored
   */
  async get(id: string, options?: CallOptions): Promise<Interaction> {
    return (await this.#load()).get(id, options);
  }

  /**
   * Like `get`, for whoever reads the answer itself.
   *
   * @internal
   */
  async answer(id: string, options?: CallOptions): Promise<Response> {
    return (await this.#load()).answer(id, options);
  }

  /**
   * Returns the events of a stored interaction again, those after `lastEventId` if it is given, so that a stream that broke
   * off can be resumed.
   *
   * @throws GeminiError if the request fails
   */
  async resume(id: string, lastEventId?: string, options?: CallOptions): Promise<Response> {
    return (await this.#load()).resume(id, lastEventId, options);
  }

  /**
   * Asks for an interaction that runs in the background, less and less often, until it runs no longer, and returns it. Its
   * `status` says how it ended.
   *
   * @throws GeminiError `timeout` if it takes longer than `timeoutMs`, and GeminiError if a request fails
   *
   * @example
   * const { id } = await client.interactions.create({ agent, input, background: true });
   * const { status, steps } = await client.interactions.wait(id, { timeoutMs: 3_600_000 });
   */
  async wait(id: string, options?: WaitOptions): Promise<Interaction> {
    return (await this.#load()).wait(id, options);
  }

  /**
   * Stops an interaction that runs in the background, and returns it.
   *
   * @throws GeminiError if the request fails
   */
  async cancel(id: string, options?: CallOptions): Promise<Interaction> {
    return (await this.#load()).cancel(id, options);
  }

  /**
   * Deletes a stored interaction.
   *
   * @throws GeminiError if the request fails
   */
  async delete(id: string, options?: CallOptions): Promise<void> {
    await (await this.#load()).delete(id, options);
  }
}
