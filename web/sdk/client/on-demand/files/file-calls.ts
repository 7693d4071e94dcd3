// Calls the methods of `files`, the API's Files API (https://ai.google.dev/api/files).
import type { Endpoint } from '../../endpoint.js';
import type { CallOptions, Http } from '../../http.js';
import { listPages, type ListOptions } from '../pages.js';
import { fileOf } from './file-of.js';
import { upload, type UploadOptions, type UploadSource } from './upload.js';
import { waitUntilActive, type WaitOptions } from './wait.js';
import { StrataError } from '../../../internal/errors.js';
import type { GeminiFile } from '../../../types/gemini/resources.js';

const collection = 'files';
// The API's maximum.
const maxPageSize = 100;

/**
 * Implements `Files`.
 *
 * @internal
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
