// Asks the worker that judges prompts, and ends it if a template takes too long.
import type { PromptCall, PromptQuestion, PromptReply } from './prompt-result.js';

// Long enough to load the core on a slow phone.
const timeLimitMs = 10_000;

/** The worker that judges prompts. It answers the newest question only. */
export class PromptClient {
  readonly #receive: (reply: PromptReply) => void;
  #worker: Worker | undefined;
  #id = 0;
  #isBusy = false;
  /** The newest question, if the worker has not been asked it yet. */
  #next: PromptQuestion | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `receive` is called with each answer. */
  constructor(receive: (reply: PromptReply) => void) {
    this.#receive = receive;
  }

  /** Asks about a prompt. A newer question replaces one that waits. */
  ask(question: PromptQuestion): void {
    this.#next = question;
    if (!this.#isBusy) this.#send();
  }

  #send(): void {
    const question = this.#next;
    this.#next = undefined;
    this.#isBusy = question !== undefined;
    if (!question) return;
    const call: PromptCall = { id: ++this.#id, question };
    const message = `The templates took longer than ${timeLimitMs / 1000} seconds. Simplify them.`;
    this.#timer = setTimeout(() => this.#fail(message), timeLimitMs);
    this.#worker ??= this.#start();
    this.#worker.postMessage(call);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./prompt-worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<PromptReply>) => this.#received(data);
    worker.onerror = ({ message }) => this.#fail(message || 'The worker failed to start.');
    return worker;
  }

  #received(reply: PromptReply): void {
    if (reply.id !== this.#id) return;
    if (reply.type === 'failed' && reply.isFatal) return this.#fail(reply.message);
    this.#receive(reply);
    if (reply.type === 'placements') return;
    clearTimeout(this.#timer);
    this.#send();
  }

  // Ends the worker. The next question starts another one.
  #fail(message: string): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#receive({ id: this.#id, type: 'failed', message, isFatal: true });
    this.#send();
  }
}
