// Sends requests to the API with the key in a header, a time limit and retries. Every failure is a GeminiError or the
// reason of the caller's abort.
import { sleep, Watch } from '../base/abort.js';
import { errorOf, networkError, timeoutError } from './api-error.js';
import { readText } from './response-body.js';
import { GeminiError } from '../base/errors.js';
import { invalidOption } from '../base/options.js';
import { isRetryable, retryDelay, type RetryPolicy } from './retry.js';
import { redactor, type Redact } from '../base/redact.js';
import type { Json } from '../types/json.js';

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Called before each retry with the error, the delay in milliseconds, and the number of the failed attempt, from 1. */
  onRetry?: ((error: GeminiError, delayMs: number, attempt: number) => void) | undefined;
}

/** Options of `Http`. */
export interface HttpOptions {
  apiKey: string | undefined;
  fetch: typeof fetch | undefined;
  retry: RetryPolicy;
  /** Milliseconds without data; 0 means no limit. */
  timeoutMs: number;
}

/** One request to the API. */
export interface HttpRequest extends CallOptions {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  url: string;
  /** JSON. */
  body?: Uint8Array;
}

// `instanceof` does not recognize the Response of another realm or polyfill.
function isResponse(value: unknown): value is Response {
  const { status, headers, body } = Object(value);
  const readable = body == null || typeof body.getReader === 'function';
  return typeof status === 'number' && typeof headers?.get === 'function' && readable;
}

/** Reads a body. */
export type BodyReader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>;

// The reader of each response of `Http`: the stream around it is for callers, and costs as much as the parsing.
const readers = new WeakMap<Response, BodyReader>();

/** Returns the reader of a response's body, which nobody else reads; undefined without a body. */
export const readerOf = (response: Response): BodyReader | undefined =>
  readers.get(response) ?? response.body?.getReader();

/** Sends requests. A response that is not 2xx is thrown as a GeminiError. */
export class Http {
  readonly #options: HttpOptions;
  readonly #redact: Redact;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#redact = redactor(options.apiKey);
  }

  /** Returns a text without the key. */
  redact(text: string): string {
    return this.#redact(text);
  }

  /** Sends a request, with retries, and returns its 2xx response. */
  async send(request: HttpRequest): Promise<Response> {
    const { retry } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(request);
      } catch (error) {
        if (attempt >= retry.attempts || !isRetryable(error, retry)) throw error;
        const delayMs = retryDelay(attempt, error, retry);
        request.onRetry?.(error, delayMs, attempt);
        await sleep(delayMs, request.signal);
      }
    }
  }

  /** Sends a request and returns the body of its response as JSON. */
  async json(request: HttpRequest): Promise<Json> {
    const text = await readText(await this.send(request));
    try {
      return JSON.parse(text);
    } catch {
      throw new GeminiError('answer.invalid', 'The response of the API is not JSON');
    }
  }

  async #attempt(request: HttpRequest): Promise<Response> {
    const { timeoutMs } = this.#options;
    const watch = new Watch(request.signal, timeoutMs, () => timeoutError(timeoutMs));
    const response = await this.#guard(watch, this.#fetch(request, watch.signal));
    if (!isResponse(response)) throw invalidOption('/fetch', 'a function that returns a Response');
    const guarded = this.#guardBody(response, watch);
    if (response.ok) return guarded;
    throw await errorOf(guarded, this.#redact);
  }

  // Only headers that the API's CORS rules allow: a browser rejects any other
  // (https://github.com/googleapis/js-genai/issues/1723).
  async #fetch({ method, url, body }: HttpRequest, signal: AbortSignal): Promise<Response> {
    const { apiKey, fetch = globalThis.fetch } = this.#options;
    const headers: Record<string, string> = {};
    if (body) headers['content-type'] = 'application/json';
    if (apiKey) headers['x-goog-api-key'] = apiKey;
    // Following a redirect would send the key to another host.
    const init: RequestInit = { method, headers, redirect: 'manual', signal };
    if (body) init.body = body as Uint8Array<ArrayBuffer>;
    // The native fetch requires the global object as `this`.
    return fetch.call(globalThis, url, init);
  }

  // Awaits `work` within the time limit and converts its errors.
  async #guard<T>(watch: Watch, work: Promise<T>): Promise<T> {
    try {
      return await watch.wait(work);
    } catch (error) {
      const isFinal = watch.signal.aborted || error instanceof GeminiError;
      watch.release();
      throw isFinal ? error : networkError(error, this.#redact);
    }
  }

  // Returns the response with a body whose reads are guarded like the request.
  #guardBody(response: Response, watch: Watch): Response {
    if (!response.body) {
      watch.release();
      return response;
    }
    const reader = response.body.getReader();
    // Cancelling a stream that has failed rejects; the first error is the one that counts.
    const cancelReader = (reason: unknown) => reader.cancel(reason).catch(() => {});
    const read = async () => {
      try {
        const result = await this.#guard(watch, reader.read());
        if (result.done) watch.release();
        return result;
      } catch (error) {
        // Not every fetch implementation observes its signal.
        void cancelReader(error);
        throw error;
      }
    };
    const cancel = (reason?: unknown) => {
      watch.abort(reason);
      return cancelReader(reason);
    };
    const pull = async (out: ReadableStreamDefaultController<Uint8Array>) => {
      const { done, value } = await read();
      if (done) out.close();
      else out.enqueue(value);
    };
    const { status, statusText, headers } = response;
    const body = new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
    const guarded = new Response(body, { status, statusText, headers });
    readers.set(guarded, { read, cancel });
    return guarded;
  }
}
