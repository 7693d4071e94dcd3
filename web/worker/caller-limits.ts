// Asks the object of a caller whether it may create a thread or run a send.
import { GatewayError } from '../gateway/gateway-error.js';
import { HttpError } from '../server/body.js';
import type { Claim, Verdict } from './caller-object.js';
import { maxRunningSendsOf, maxThreadsOf, type Env, type Fetcher } from './env.js';

const exceeded = (code: string, limit: string, retryAfterMs: number): GatewayError =>
  new GatewayError(429, code, `You have reached the limit of ${limit}.`, { retryAfterMs });

// A send usually ends long before its claim does.
const sendRetryMs = 5000;

// Beyond any deadline and count: a claim that must not be refused.
const unlimited = Number.MAX_SAFE_INTEGER;

/** The limits of one caller. */
export class CallerLimits {
  readonly #env: Env;
  readonly #object: Fetcher;

  /** @throws HttpError with the status 501 if no Durable Object is bound */
  constructor(env: Env, caller: string) {
    if (!env.CALLERS)
      throw new HttpError(501, 'threads.unavailable', 'The class CallerObject is not bound here.');
    this.#env = env;
    this.#object = env.CALLERS.get(env.CALLERS.idFromName(caller));
  }

  /** Counts a new thread, once for each id. @throws HttpError with the status 429 */
  async countThread(thread: string): Promise<void> {
    const most = maxThreadsOf(this.#env);
    const { retryAfterMs } = await this.#ask('thread', { thread, most });
    if (retryAfterMs === undefined) return;
    throw exceeded('limit.threads', `${most} new threads a day`, retryAfterMs);
  }

  /** Takes back the count of a thread that was not created. */
  async forgetThread(thread: string): Promise<void> {
    await this.#ask('forget', { thread });
  }

  /**
   * Claims that sends run in a thread, before one is accepted. The claim ends with `release`, or after `ms` milliseconds
   * by itself. Another claim of the same thread extends it.
   *
   * @throws HttpError with the status 429
   */
  async claim(thread: string, ms: number): Promise<void> {
    const most = maxRunningSendsOf(this.#env);
    const { retryAfterMs } = await this.#ask('claim', { thread, ms, most });
    if (retryAfterMs === undefined) return;
    const wait = Math.min(retryAfterMs, sendRetryMs);
    throw exceeded('limit.sends', `${most} threads in which a send runs at once`, wait);
  }

  /** Extends the claim of a thread whose send was accepted earlier. It is never refused. */
  async extend(thread: string, ms: number): Promise<void> {
    await this.#ask('claim', { thread, ms, most: unlimited });
  }

  /** Ends the claim of a thread in which nothing runs. */
  async release(thread: string): Promise<void> {
    await this.#ask('release', { thread });
  }

  async #ask(
    operation: 'thread' | 'forget' | 'claim' | 'release',
    body: Partial<Claim>,
  ): Promise<Verdict> {
    const init = { method: 'POST', body: JSON.stringify(body) };
    try {
      const response = await this.#object.fetch(new Request(`https://caller/${operation}`, init));
      if (response.ok) return await response.json();
    } catch (error) {
      console.error(error);
    }
    // Without counts nobody would be limited.
    const message = 'The limits of the caller could not be counted. Please retry.';
    throw new GatewayError(503, 'limit.unavailable', message, { retryAfterMs: 1000 });
  }
}
