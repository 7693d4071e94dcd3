// Calls the methods of `files`, the API's Files API (https://ai.google.dev/api/files), and waits until a file is
// active.
import type {
  ListOptions,
  UploadOptions,
  UploadSource,
  WaitOptions,
} from '../sdk/client/resources.js';
import { GeminiError, StrataError } from '../sdk/internal/errors.js';
import type { GeminiFile } from '../sdk/types/gemini/resources.js';
import type { CallOptions, Http } from '../sdk/client/http.js';
import type { Endpoint } from '../sdk/client/endpoint.js';
import { askUntil, listPages } from './requests.js';
import { fileOf, upload } from './upload.js';

function failedError({ name, error }: GeminiFile): GeminiError {
  const reason = error?.message || 'no reason given';
  return new GeminiError('file.failed', `The API could not process ${name}: ${reason}`, {
    status: error?.code ?? 0,
    details: error?.details ?? [],
  });
}

/**
 * Calls `get` until the file is active.
 *
 * @throws GeminiError `file.failed` or `file.slow`, what `get` throws, or the signal's reason
 */
export async function waitUntilActive(
  get: (signal: AbortSignal | undefined) => Promise<GeminiFile>,
  options: WaitOptions = {},
): Promise<GeminiFile> {
  const file = await askUntil(get, ({ state }) => state === 'ACTIVE' || state === 'FAILED', {
    options,
    slow: ({ name }, ms) =>
      new GeminiError('file.slow', `${name} was not processed within ${ms} ms`),
  });
  if (file.state === 'FAILED') throw failedError(file);
  return file;
}

const collection = 'files';
// The API's maximum.
const maxPageSize = 100;

/**
 * Implements `Files`.
 */
export class FileCalls {
  readonly #http: Http;
  readonly #endpoint: Endpoint;

  /** @throws StrataError `feature.unavailable` on Vertex AI */
  constructor(http: Http, endpoint: Endpoint) {
    if (endpoint.backend === 'vertex') throw vertexHasNone();
    this.#http = http;
    this.#endpoint = endpoint;
  }

  upload(data: UploadSource, options?: UploadOptions): Promise<GeminiFile> {
    return upload(this.#http, this.#endpoint, data, options);
  }

  waitUntilActive(file: GeminiFile | string, options?: WaitOptions): Promise<GeminiFile> {
    const name = typeof file === 'string' ? file : file.name;
    const onRetry = options?.onRetry;
    return waitUntilActive((signal) => this.get(name, { signal, onRetry }), options);
  }

  async get(name: string, options?: CallOptions): Promise<GeminiFile> {
    return fileOf(await this.#http.call({ method: 'GET', url: this.#url(name) }, options));
  }

  async *list(options?: ListOptions): AsyncGenerator<GeminiFile, void, void> {
    const url = this.#endpoint.url(collection);
    const pages = listPages(this.#http, url, { field: collection, pageSize: maxPageSize }, options);
    for await (const file of pages) yield fileOf(file);
  }

  async delete(name: string, options?: CallOptions): Promise<void> {
    await this.#http.call({ method: 'DELETE', url: this.#url(name) }, options);
  }

  #url(name: string): string {
    return this.#endpoint.url(this.#endpoint.resource(collection, name));
  }
}

function vertexHasNone(): StrataError {
  const message =
    'Vertex AI has no Files API. Put the file into Cloud Storage and pass its gs:// URI as fileData, or send its bytes as inlineData.';
  return new StrataError('feature.unavailable', message);
}
