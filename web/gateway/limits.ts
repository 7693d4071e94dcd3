// Limits what each caller uses: requests and tokens a minute, and requests at once.
import * as must from '../sdk/internal/options.js';
import { GatewayError } from './gateway-error.js';

/**
 * Counts requests outside this process, so that several instances share a limit. It is the shape of Cloudflare's
 * rate limiting binding, and easy to put in front of a Durable Object.
 */
export interface RateLimiter {
  /** Counts one request of the caller `key`. */
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

/** Limits of each caller. They are counted in this process unless `rateLimiter` counts elsewhere. */
export interface GatewayLimits {
  /** Default: no limit. */
  requestsPerMinute?: number;
  /** Input and output tokens that answers report. A request is refused once they are used up. Default: no limit. */
  tokensPerMinute?: number;
  /** Requests of one caller at once. Default: 64. */
  concurrency?: number;
  /** Requests of all callers at once. Default: 512. */
  totalConcurrency?: number;
  /** Counts requests as well, for several instances. */
  rateLimiter?: RateLimiter;
}

/** Accepts undefined, or the limits. */
export const isLimits = must.shape<GatewayLimits>({
  requestsPerMinute: must.optional(must.nonNegative),
  tokensPerMinute: must.optional(must.nonNegative),
  concurrency: must.optional(must.nonNegative),
  totalConcurrency: must.optional(must.nonNegative),
  rateLimiter: must.optional(must.objectWith('limit')),
});

// Callers with a key of their own are not listed, so anyone can make up new ones.
const maxCallers = 10_000;
const minuteMs = 60_000;

// What the sums of fractions may lack.
const rounding = 1e-6;

/** A bucket that holds what may be used and fills evenly. It may owe. */
class Bucket {
  readonly #perMinute: number;
  /** What it holds: at least one, so that less than one a minute is more than none. */
  readonly #most: number;
  #left: number;
  #at: number;

  constructor(perMinute: number, now: number) {
    this.#perMinute = perMinute;
    this.#most = perMinute === 0 ? 0 : Math.max(1, perMinute);
    this.#left = this.#most;
    this.#at = now;
  }

  /** Returns the milliseconds until `amount` is there; 0: it is there now. */
  waitFor(amount: number, now: number): number {
    if (this.#perMinute === Infinity) return 0;
    this.#fill(now);
    if (this.#left >= amount - rounding) return 0;
    return this.#perMinute === 0 ? minuteMs : ((amount - this.#left) / this.#perMinute) * minuteMs;
  }

  take(amount: number, now: number): void {
    if (this.#perMinute === Infinity) return;
    this.#fill(now);
    this.#left -= amount;
  }

  #fill(now: number): void {
    // A clock that is set back fills nothing.
    const passed = Math.max(0, now - this.#at);
    this.#at = now;
    this.#left = Math.min(this.#most, this.#left + (passed / minuteMs) * this.#perMinute);
  }
}

/** What one caller uses. */
interface Usage {
  requests: Bucket;
  tokens: Bucket;
  open: number;
}

const used = (what: string, retryAfterMs: number): GatewayError =>
  new GatewayError(
    429,
    'limit.exceeded',
    `You exceeded the limit of ${what}. Please retry in ${Math.max(1, Math.ceil(retryAfterMs / 1000))}s.`,
    { retryAfterMs },
  );

/** Counts what callers use, in a table of at most 10,000 callers. */
export class Limits {
  readonly #requests: number;
  readonly #tokens: number;
  readonly #concurrency: number;
  readonly #totalConcurrency: number;
  readonly #rateLimiter: RateLimiter | undefined;
  readonly #now: () => number;
  readonly #callers = new Map<string, Usage>();
  #open = 0;

  constructor(limits: GatewayLimits = {}, now: () => number = Date.now) {
    this.#requests = limits.requestsPerMinute ?? Infinity;
    this.#tokens = limits.tokensPerMinute ?? Infinity;
    this.#concurrency = limits.concurrency ?? 64;
    this.#totalConcurrency = limits.totalConcurrency ?? 512;
    this.#rateLimiter = limits.rateLimiter;
    this.#now = now;
  }

  /** The requests that are open now. */
  get open(): number {
    return this.#open;
  }

  /** The callers in the table. */
  get size(): number {
    return this.#callers.size;
  }

  /**
   * Lets a request of a caller in. Returns what ends it: call it once the answer has left, twice does no harm.
   *
   * @throws GatewayError with the status 429, or 503 if the gateway is busy
   */
  async enter(caller: string): Promise<() => void> {
    const usage = this.#admit(caller);
    const leave = this.#leave(usage);
    try {
      await this.#ask(caller);
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Counts the tokens of an answer. */
  tokens(caller: string, count: number): void {
    this.#usageOf(caller).tokens.take(count, this.#now());
  }

  #admit(caller: string): Usage {
    const now = this.#now();
    if (this.#open >= this.#totalConcurrency)
      throw new GatewayError(503, 'gateway.busy', 'The gateway is busy. Please retry.', {
        retryAfterMs: 1000,
      });
    const usage = this.#usageOf(caller);
    if (usage.open >= this.#concurrency) throw used(`${this.#concurrency} requests at once`, 1000);
    const requestWait = usage.requests.waitFor(1, now);
    if (requestWait > 0) throw used(`${this.#requests} requests per minute`, requestWait);
    const tokenWait = usage.tokens.waitFor(1, now);
    if (tokenWait > 0) throw used(`${this.#tokens} tokens per minute`, tokenWait);
    usage.requests.take(1, now);
    usage.open++;
    this.#open++;
    return usage;
  }

  #leave(usage: Usage): () => void {
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      usage.open--;
      this.#open--;
    };
  }

  async #ask(caller: string): Promise<void> {
    if (!this.#rateLimiter) return;
    let success: boolean;
    try {
      ({ success } = await this.#rateLimiter.limit({ key: caller }));
    } catch {
      // Without counts nobody would be limited.
      throw new GatewayError(503, 'limit.unavailable', 'The rate limiter gave no answer.', {
        retryAfterMs: 1000,
      });
    }
    if (!success) throw used('requests', minuteMs);
  }

  #usageOf(caller: string): Usage {
    const known = this.#callers.get(caller);
    if (known) {
      // The one that was used last stands last.
      this.#callers.delete(caller);
      this.#callers.set(caller, known);
      return known;
    }
    if (this.#callers.size >= maxCallers) this.#forgetOne();
    const now = this.#now();
    const usage = {
      requests: new Bucket(this.#requests, now),
      tokens: new Bucket(this.#tokens, now),
      open: 0,
    };
    this.#callers.set(caller, usage);
    return usage;
  }

  // At most `totalConcurrency` are open, so this ends soon.
  #forgetOne(): void {
    for (const [caller, { open }] of this.#callers) {
      if (open > 0) continue;
      this.#callers.delete(caller);
      return;
    }
  }
}
