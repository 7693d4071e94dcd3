// Collects the token counts of the answers of a send from its events.
import type { ConversationEvent, UsageMetadata } from '../index.js';

// What comes after the last event of an answer.
const endsAnswer: ReadonlySet<string> = new Set(['request', 'retry', 'fault', 'turn', 'done']);

/** The token counts of the answers of one send, those of discarded attempts included: they cost as much. */
export class UsageMeter {
  readonly #answers: UsageMetadata[] = [];
  #current: UsageMetadata | undefined;

  /** Takes an event of the send. The counts of an answer grow while it streams. */
  see(event: ConversationEvent): void {
    if (event.type === 'usage') this.#current = event.usage;
    else if (endsAnswer.has(event.type)) this.#endAnswer();
  }

  /** Returns the token counts since the last call. */
  take(): UsageMetadata[] {
    this.#endAnswer();
    return this.#answers.splice(0);
  }

  #endAnswer(): void {
    if (this.#current) this.#answers.push(this.#current);
    this.#current = undefined;
  }
}
