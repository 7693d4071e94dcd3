// Asks the worker that judges prompts, and ends it if a template takes too long.
import type {
  PlacementComparison,
  PromptAnalysis,
  PromptCall,
  PromptQuestion,
  PromptReply,
} from './prompt-result.js';

/** What the client calls with each answer. */
export interface PromptListener {
  analyzed: (analysis: PromptAnalysis) => void;
  compared: (placements: PlacementComparison) => void;
  failed: (message: string) => void;
}

// Long enough to load the core on a slow phone.
const timeLimitMs = 10_000;

/** The worker that judges prompts. It answers the newest question only. */
export class PromptClient {
  readonly #listener: PromptListener;
  #worker: Worker | undefined;
  #id = 0;
  /** The question that the worker works on. */
  #isBusy = false;
  /** The newest question, if the worker has not been asked it yet. */
  #next: PromptQuestion | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(listener: PromptListener) {
    this.#listener = listener;
  }

  /** Asks about a prompt. A newer question replaces one that waits. */
  ask(question: PromptQuestion): void {
    this.#next = question;
    if (!this.#isBusy) this.#send();
  }

  /** Ends the worker. The next question starts another one. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#isBusy = false;
  }

  #send(): void {
    const question = this.#next;
    if (!question) return;
    this.#next = undefined;
    this.#isBusy = true;
    const call: PromptCall = { id: ++this.#id, question };
    this.#timer = setTimeout(() => this.#tooLong(), timeLimitMs);
    this.#started().postMessage(call);
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./prompt-worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<PromptReply>) => this.#receive(data);
    worker.onerror = ({ message }) => this.#fail(message || 'The worker failed to start.');
    return (this.#worker = worker);
  }

  #receive(reply: PromptReply): void {
    if (reply.id !== this.#id) return;
    if (reply.type === 'placements') return this.#listener.compared(reply.placements);
    if (reply.type === 'failed' && reply.isFatal) return this.#fail(reply.message);
    clearTimeout(this.#timer);
    this.#isBusy = false;
    if (reply.type === 'analysis') this.#listener.analyzed(reply.analysis);
    else this.#listener.failed(reply.message);
    this.#send();
  }

  #tooLong(): void {
    this.#fail(`The templates took longer than ${timeLimitMs / 1000} seconds. Simplify them.`);
  }

  #fail(message: string): void {
    this.stop();
    this.#listener.failed(message);
    this.#send();
  }
}
