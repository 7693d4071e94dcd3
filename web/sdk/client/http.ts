// Sends requests to the API with the key in a header, a time limit and retries. Every failure is a GeminiError, the
// reason of the caller's abort, or what a function of the caller threw.
import { sleep, Watch, type AbortSource } from '../internal/lifetime.js';
import type { Access } from './access.js';
import { errorOf, networkError, timeoutError, tooLongError } from './api-error.js';
import { readText } from './response-body.js';
import { GeminiError, StrataError } from '../internal/errors.js';
import * as must from '../internal/options.js';
import { sendAgain, type RetryListener, type RetryPolicy } from './send-again.js';
import type { Secrets } from '../internal/redact.js';
import type { Json } from '../types/json.js';
import type { Fetch } from '../types/platform.js';

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Called before each retry of this call, before the client's own `onRetry`. */
  onRetry?: RetryListener | undefined;
}

/** The checks of `CallOptions`. A `RequestInit` may have null for no signal. */
export const callOptions: must.Shape<CallOptions> = {
  signal: (value, path) => value === null || must.signal(value, path),
  onRetry: must.optional(must.func),
};

/** Accepts undefined, or options of a call. */
export const isCall = must.shape(callOptions);

/**
 * Marks a request whose response is read with `readerOf` only, so that it needs no stream of its own. It is a symbol, so
 * that no option of a caller is one.
 *
 * @internal
 */
export const isForReader = Symbol('isForReader');

/**
 * Called when a request is sent again, after the delay.
 *
 * @internal
 */
export const onResend = Symbol('onResend');

/**
 * Returns what a call of this package passes on of a caller's options.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
 *
 * @internal
 */
export function passedOn(options: CallOptions | undefined): Omit<HttpRequest, 'method' | 'url'> {
  if (options) isCall(options, '');
  const { signal, onRetry, [isForReader]: forReader, [onResend]: resends } = Object(options);
  return { signal, onRetry, [isForReader]: forReader, [onResend]: resends };
}

/**
 * Options of `Http`.
 *
 * @internal
 */
export interface HttpOptions {
  apiKey: string | undefined;
  /** The caller's headers and token, if there are any. */
  access: Access | undefined;
  secrets: Secrets;
  fetch: Fetch | undefined;
  retry: RetryPolicy;
  onRetry: RetryListener | undefined;
  /** Milliseconds without data; 0 means no limit. */
  timeoutMs: number;
  /** The longest body of a response; 0 means no limit. */
  maxAnswerBytes: number;
}

/**
 * One request to the API.
 *
 * @internal
 */
export interface HttpRequest extends Omit<CallOptions, 'signal'> {
  signal?: AbortSource | undefined;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  /** JSON, unless `headers` has another content type. */
  body?: Uint8Array | undefined;
  /** Further headers, with names in lower case. */
  headers?: Record<string, string>;
  [isForReader]?: boolean;
  [onResend]?: () => void;
}

// `instanceof` does not recognize the Response of another realm or polyfill.
function isResponse(value: unknown): value is Response {
  const { status, headers, body } = Object(value);
  const readable = body == null || typeof body.getReader === 'function';
  return typeof status === 'number' && typeof headers?.get === 'function' && readable;
}

/**
 * Reads a body.
 *
 * @internal
 */
export type BodyReader = Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'>;

// The reader of each response of `Http`: the stream around it is for callers, and costs as much as the parsing.
const readers = new WeakMap<Response, BodyReader>();

/**
 * Returns the reader of a response's body, which nobody else reads; undefined without a body.
 *
 * @internal
 */
export const readerOf = (response: Response): BodyReader | undefined =>
  readers.get(response) ?? response.body?.getReader();

// Awaits work of the caller within the time limit. Its errors are not converted.
async function releasing<T>(watch: Watch, work: Promise<T>): Promise<T> {
  try {
    return await watch.wait(work);
  } catch (error) {
    watch.release();
    throw error;
  }
}

/**
 * Sends requests. A response that is not 2xx is thrown as a GeminiError.
 *
 * @internal
 */
export class Http {
  readonly #options: HttpOptions;

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  /** Returns a text without the key and other secrets. */
  redact(text: string): string {
    return this.#options.secrets.redact(text);
  }

  /** Sends a request, with retries, and returns its 2xx response. */
  send(request: HttpRequest): Promise<Response> {
    return this.retried(() => this.once(request), request);
  }

  /**
   * Runs `work` until it succeeds, or a row of `sendAgain` does not send again.
   */
  async retried<T>(
    work: () => Promise<T>,
    { signal, onRetry, [onResend]: resends }: Omit<HttpRequest, 'method' | 'url'>,
    delayAfter = sendAgain.status,
  ): Promise<T> {
    const { retry, onRetry: onAnyRetry } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        const delayMs = delayAfter(error, attempt, retry);
        if (delayMs === undefined || !(error instanceof GeminiError)) throw error;
        onRetry?.(error, delayMs, attempt);
        onAnyRetry?.(error, delayMs, attempt);
        await sleep(delayMs, signal);
        resends?.();
      }
    }
  }

  /** Sends a request and returns the body of its response as JSON. */
  async json(request: HttpRequest): Promise<Json> {
    return this.parse(await this.send(request));
  }

  /**
   * Sends a request with the options of a caller, and returns the body of its response as JSON.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
   */
  async call(request: HttpRequest, options: CallOptions | undefined): Promise<Json> {
    isCall(options, '');
    return this.json({ ...options, ...request });
  }

  /** Returns the body of a response as JSON. */
  async parse(response: Response): Promise<Json> {
    const text = await readText(response);
    try {
      return JSON.parse(text);
    } catch {
      throw new GeminiError('answer.invalid', 'The response of the API is not JSON');
    }
  }

  /** Sends a request a single time and returns its 2xx response. */
  async once(request: HttpRequest): Promise<Response> {
    const response = await this.exchange(request);
    if (response.ok) return response;
    const { redact, holdsStandardKey } = this.#options.secrets;
    throw await errorOf(response, redact, { url: request.url, holdsStandardKey });
  }

  /** Sends a request a single time and returns its response, whatever its status. */
  async exchange(request: HttpRequest): Promise<Response> {
    const { timeoutMs, access } = this.#options;
    const watch = new Watch(request.signal, timeoutMs, () => timeoutError(timeoutMs));
    const more = access && (await releasing(watch, access.headers()));
    const response = await this.#guard(watch, this.#fetch(request, more, watch.signal));
    if (!isResponse(response))
      throw must.invalidOption('/fetch', 'a function that returns a Response');
    const { status } = response;
    if (status >= 200 && status <= 599)
      return this.#guardBody(response, watch, request[isForReader]);
    watch.release();
    void response.body?.cancel().catch(() => {});
    throw new GeminiError(
      'answer.invalid',
      `The API answered with the status ${status}, which HTTP does not define`,
    );
  }

  // Only headers that the API's CORS rules allow: a browser rejects any other
  // (https://github.com/googleapis/js-genai/issues/1723).
  async #fetch(
    { method, url, body, headers: own }: HttpRequest,
    more: Record<string, string> | undefined,
    signal: AbortSignal,
  ): Promise<Response> {
    const { apiKey, fetch = globalThis.fetch } = this.#options;
    const headers: Record<string, string> = { ...more };
    if (body) headers['content-type'] = 'application/json';
    if (apiKey) headers['x-goog-api-key'] = apiKey;
    Object.assign(headers, own);
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
      throw this.#failure(watch, error);
    }
  }

  // Returns what a request or a read that failed throws.
  #failure(watch: Watch, error: unknown): unknown {
    // An error of the package in `fetch`, such as that of an emulator's option, is no failure of the network.
    const isFinal = watch.aborted || error instanceof StrataError;
    watch.release();
    return isFinal ? error : networkError(error, this.#options.secrets.redact);
  }

  // Returns the response with a body whose reads are guarded like the request. With `isForReader`, only those of
  // `readerOf` are; an error's body has other readers.
  #guardBody(response: Response, watch: Watch, forReader = false): Response {
    if (!response.body) {
      watch.release();
      return response;
    }
    const reader = response.body.getReader();
    const { maxAnswerBytes } = this.#options;
    let isRead = false;
    let size = 0;
    // Cancelling a stream that has failed rejects; the first error is the one that counts.
    const cancelReader = (reason: unknown) => reader.cancel(reason).catch(() => {});
    const read = async () => {
      try {
        const result = await watch.wait(reader.read());
        size += result.value?.length ?? 0;
        if (maxAnswerBytes > 0 && size > maxAnswerBytes)
          throw watch.abort(tooLongError(maxAnswerBytes));
        if (result.done) {
          isRead = true;
          watch.release();
        }
        return result;
      } catch (error) {
        const failure = this.#failure(watch, error);
        // Not every fetch implementation observes its signal.
        void cancelReader(failure);
        throw failure;
      }
    };
    const cancel = async (reason?: unknown) => {
      // There is nothing left to abort, and the error of an abort is costly.
      if (isRead) return;
      watch.abort(reason);
      await cancelReader(reason);
    };
    if (forReader && response.ok) {
      readers.set(response, { read, cancel });
      return response;
    }
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
