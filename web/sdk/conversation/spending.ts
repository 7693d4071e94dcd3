// Adds up the token counts and the cost of the requests of a conversation, and of each of its sends, from their events.
import { sumOf } from '../base/usage-sum.js';
import type { ConversationEvent, UsageEvent } from '../types/conversation-event.js';
import type { Spent, TotalUsage } from '../types/usage.js';

/** Returns the cost of the request that an event counts; undefined if its price is not known. */
export type CostOf = (event: UsageEvent) => number | undefined;

const add = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a + b;

/** What a conversation, or one send, has used. */
export class Spending {
  #usage: TotalUsage = { requests: 0 };
  #usd: number | undefined = 0;

  /** Continues with what was used before. */
  restore({ usage, usd }: Spent): void {
    [this.#usage, this.#usd] = [usage, usd];
  }

  /** Adds what an event says. */
  see(event: ConversationEvent, costOf: CostOf): void {
    if (event.type === 'request')
      this.#usage = { ...this.#usage, requests: this.#usage.requests + 1 };
    // Most events are texts, which are not to cost a copy of the counts.
    if (event.type !== 'usage') return;
    const { requests, ...counts } = this.#usage;
    // The first counts are kept as they are.
    const sum = Object.keys(counts).length > 0 ? sumOf([counts, event.usage]) : event.usage;
    this.#usage = { ...sum, requests };
    this.#usd = add(this.#usd, costOf(event));
  }

  get usage(): TotalUsage {
    return { ...this.#usage };
  }

  get cost(): { usd?: number } {
    return this.#usd === undefined ? {} : { usd: this.#usd };
  }

  get spent(): Spent {
    return { usage: this.usage, ...this.cost };
  }
}
