// Why this file exists: one way to send a request to the API: the key in its header, time limits,
// retries, and every failure a GeminiError or the caller's own abort reason.
import { sleep, Watch } from '../base/abort.js';
import { errorOf, networkError, timeoutError } from './api-error.js';
import { readText } from './body.js';
import { GeminiError } from '../base/errors.js';
import { wrongType } from '../base/options.js';
import { isRetryable, retryDelay, type RetryPolicy } from './retry.js';
import { redactor, type Redact } from '../base/secret.js';
import type { Json } from '../types/json.js';

/** `signal` ends the call at whatever it waits for; its reason is what the call then throws. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Told before each wait: what was refused, milliseconds until the next attempt, which attempt failed. */
  onRetry?: ((error: GeminiError, delayMs: number, attempt: number) => void) | undefined;
}

export interface HttpOptions {
  apiKey: string | undefined;
  fetch: typeof fetch | undefined;
  retry: RetryPolicy;
  /** Milliseconds without a sign of life; 0: no limit. */
  timeoutMs: number;
}

export interface HttpRequest extends CallOptions {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  url: string;
  /** JSON. */
  body?: Uint8Array;
}

// Runtimes have several classes of that name.
function isResponse(value: unknown): value is Response {
  const { status, headers, body } = Object(value);
  const readable = body == null || typeof body.getReader === 'function';
  return typeof status === 'number' && typeof headers?.get === 'function' && readable;
}

/** Sends requests; answers that are not 2xx are thrown. */
export class Http {
  readonly #options: HttpOptions;
  readonly #redact: Redact;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#redact = redactor(options.apiKey);
  }

  /** Text without the key. */
  redact(text: string): string {
    return this.#redact(text);
  }

  /** The answer, after as many attempts as the policy allows. */
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

  /** The answer's body as JSON. */
  async json(request: HttpRequest): Promise<Json> {
    const text = await readText(await this.send(request));
    try {
      return JSON.parse(text);
    } catch {
      throw new GeminiError('answer.invalid', 'The API answered with something that is not JSON');
    }
  }

  async #attempt(request: HttpRequest): Promise<Response> {
    const { timeoutMs } = this.#options;
    const watch = new Watch(request.signal, timeoutMs, () => timeoutError(timeoutMs));
    const response = await this.#guard(watch, this.#fetch(request, watch.signal));
    if (!isResponse(response)) throw wrongType('/fetch', 'a function that gives a Response');
    const guarded = this.#guardBody(response, watch);
    if (response.ok) return guarded;
    throw await errorOf(guarded, this.#redact);
  }

  // Only headers that the API's CORS rules admit: any other one fails in a page.
  async #fetch({ method, url, body }: HttpRequest, signal: AbortSignal): Promise<Response> {
    const { apiKey, fetch = globalThis.fetch } = this.#options;
    const headers: Record<string, string> = {};
    if (body) headers['content-type'] = 'application/json';
    if (apiKey) headers['x-goog-api-key'] = apiKey;
    // A redirect that is followed would carry the key to another host. The native fetch insists on
    // its global as `this`.
    const init: RequestInit = { method, headers, redirect: 'manual', signal };
    if (body) init.body = body as Uint8Array<ArrayBuffer>;
    return fetch.call(globalThis, url, init);
  }

  async #guard<T>(watch: Watch, work: Promise<T>): Promise<T> {
    try {
      return await watch.wait(work);
    } catch (error) {
      const own = watch.signal.aborted || error instanceof GeminiError;
      watch.release();
      throw own ? error : networkError(error, this.#redact);
    }
  }

  // The same answer, but each read of its body is waited for under the same terms as the head.
  #guardBody(response: Response, watch: Watch): Response {
    if (!response.body) {
      watch.release();
      return response;
    }
    const reader = response.body.getReader();
    // A source that failed by itself refuses to be cancelled; nobody needs to know.
    const end = (reason: unknown) => reader.cancel(reason).catch(() => {});
    const pull = async (out: ReadableStreamDefaultController<Uint8Array>) => {
      try {
        const { done, value } = await this.#guard(watch, reader.read());
        if (!done) return out.enqueue(value);
        watch.release();
        out.close();
      } catch (error) {
        // Not every fetch listens to its signal.
        void end(error);
        throw error;
      }
    };
    const cancel = (reason: unknown) => {
      watch.abort(reason);
      return end(reason);
    };
    const { status, statusText, headers } = response;
    const body = new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
    return new Response(body, { status, statusText, headers });
  }
}
