// Why this file exists: a cache that could not be made is not asked for again at once, and what the refusal
// taught (a minimum, a quota of nothing) is not asked for again at all.
import { GeminiError } from '../../base/errors.js';

const firstPause = 60;
const longestPause = 3600;

/** Seconds from any start. */
type Seconds = number;

export class CreateBackoff {
  #pause = firstPause;
  #until: Seconds = -Infinity;

  /** Whether another cache may be asked for. */
  mayAsk(now: Seconds): boolean {
    return now >= this.#until;
  }

  /** A cache was made. */
  succeed(): void {
    this.#pause = firstPause;
  }

  /** Notes a refusal; gives the minimum that it names, if it is about that. */
  note(error: unknown, now: Seconds): number | undefined {
    const message = error instanceof Error ? error.message : '';
    const minimum = /min_total_token_count=(\d+)/.exec(message)?.[1];
    if (minimum !== undefined) return Number(minimum);
    const asked = error instanceof GeminiError ? (error.retryAfterMs ?? 0) / 1000 : 0;
    // The free tier stores nothing: its limit is 0, or is spent for the day.
    const final = /limit[:=] ?0(?![.\d])|FreeTier|PerDay/i.test(message);
    this.#until = final ? Infinity : now + Math.max(this.#pause, asked);
    this.#pause = Math.min(longestPause, this.#pause * 2);
    return undefined;
  }
}
