// Offers the methods of the Files API. Their code is loaded when one of them is called first.
import type { Endpoint } from './endpoint.js';
import type { FileCalls } from './on-demand/files/file-calls.js';
import type { UploadOptions, UploadSource } from './on-demand/files/upload.js';
import type { WaitOptions } from './on-demand/files/wait.js';
import type { CallOptions, Http } from './http.js';
import type { ListOptions } from './on-demand/pages.js';
import type { GeminiFile } from '../types/gemini/resources.js';

/**
 * The files of an API key's project, which the API keeps for 48 hours. Names are accepted with or without `files/`.
 * Every method throws GeminiError if a request fails, StrataError `name.invalid` for an invalid name, and StrataError
 * `feature.unavailable` on Vertex AI, which has no Files API.
 */
export class Files {
  readonly #load: () => Promise<FileCalls>;

  /** @internal */
  constructor(http: Http, endpoint: Endpoint) {
    this.#load = async () => {
      const { FileCalls } = await import('./on-demand/index.js');
      return new FileCalls(http, endpoint);
    };
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
