// Delays the next attempt to create a cache after a refusal, and stops attempts that cannot succeed.
import { GeminiError } from '../../sdk/internal/errors.js';

const initialDelay = 60;
const maxDelay = 3600;

// In the words of Gemini and of Vertex AI.
const namedMinimum = /(?:min_total_token_count=|minimum token count to start caching is )(\d+)/i;

/** Seconds since 1970. */
type Seconds = number;

// JSON has no infinity.
const never: Seconds = Number.MAX_SAFE_INTEGER;

/** How long no cache is requested. */
export interface BackoffState {
  delay: Seconds;
  until: Seconds;
}

/** Exponential backoff for `cachedContents.create`. */
export class CreateBackoff {
  #delay = initialDelay;
  #until: Seconds = 0;

  /** What `restore` takes. */
  get state(): BackoffState {
    return { delay: this.#delay, until: this.#until };
  }

  restore({ delay, until }: BackoffState): void {
    [this.#delay, this.#until] = [delay, until];
  }

  /** Returns whether another cache may be requested. */
  canAttempt(now: Seconds): boolean {
    return now >= this.#until;
  }

  /** Resets the delay after a cache was created. */
  reset(): void {
    this.#delay = initialDelay;
  }

  /**
   * Records a refusal. Returns the minimum number of tokens if the refusal names one that is greater than `known`: then no
   * delay is needed, because no smaller cache is requested again.
   */
  recordRefusal(error: unknown, now: Seconds, known = 0): number | undefined {
    const message = error instanceof Error ? error.message : '';
    const minimum = Number(namedMinimum.exec(message)?.[1]);
    if (minimum > known) return minimum;
    const retryAfter = error instanceof GeminiError ? (error.retryAfterMs ?? 0) / 1000 : 0;
    // The free tier has no cache storage: the limit is 0, or a daily quota is used up.
    const final = /limit[:=] ?0(?![.\d])|FreeTier|PerDay/i.test(message);
    this.#until = final ? never : now + Math.max(this.#delay, retryAfter);
    this.#delay = Math.min(maxDelay, this.#delay * 2);
    return undefined;
  }
}
