// Asks the lint worker, and replaces it if it fails or takes too long.
import type { Analysis, AnalysisOptions } from './lint-result.js';
import type { LintCall, LintEngine, LintReply } from './lint-messages.js';

/** The worker failed: `code` says how, such as `instance.out_of_memory`. */
export class LintFailure extends Error {
  override name = 'LintFailure';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface Waiting {
  /** Without its id, which it gets when it is sent. */
  call: Omit<LintCall, 'id'>;
  resolve: (result: Analysis | undefined) => void;
  reject: (error: LintFailure) => void;
}

/** What the client needs of a Worker. */
export type LintWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

const startWorker = (): LintWorker =>
  new Worker(new URL('./lint-worker.ts', import.meta.url), { type: 'module', name: 'lint' });

const slowMs = 20_000;

/** Asks the lint worker. One call runs at a time; of those that wait, only the newest is asked. */
export class LintClient implements LintEngine {
  readonly #start: () => LintWorker;
  #worker: LintWorker | undefined;
  #running: (Waiting & { id: number; timer: ReturnType<typeof setTimeout> }) | undefined;
  #next: Waiting | undefined;
  #id = 0;

  constructor(start: () => LintWorker = startWorker) {
    this.#start = start;
  }

  /** Starts the worker before the first call, so that it loads while the page does. */
  warmUp(): void {
    this.#worker ??= this.#startWorker();
  }

  analyze(text: string, options: AnalysisOptions): Promise<Analysis | undefined> {
    return new Promise((resolve, reject) => {
      this.#next?.resolve(undefined);
      this.#next = { call: { text, options }, resolve, reject };
      this.#sendNext();
    });
  }

  stop(): void {
    this.#endWorker();
    this.#running?.resolve(undefined);
    this.#running = undefined;
    this.#next?.resolve(undefined);
    this.#next = undefined;
  }

  #sendNext(): void {
    const waiting = this.#next;
    if (this.#running || !waiting) return;
    this.#next = undefined;
    const id = (this.#id += 1);
    const timer = setTimeout(
      () => this.#fail(new LintFailure('timeout', 'The text takes too long to check.')),
      slowMs,
    );
    this.#running = { ...waiting, id, timer };
    this.#worker ??= this.#startWorker();
    this.#worker.postMessage({ id, ...waiting.call } satisfies LintCall);
  }

  #startWorker(): LintWorker {
    const worker = this.#start();
    worker.onmessage = ({ data }: MessageEvent<LintReply>) => this.#receive(data);
    worker.onerror = (event) => {
      const message = event.message || 'The worker that checks texts did not start.';
      this.#fail(new LintFailure('error', message));
    };
    return worker;
  }

  #receive(reply: LintReply): void {
    if (reply.id !== this.#running?.id) return;
    if (reply.type === 'failed') {
      return this.#fail(new LintFailure(reply.code, reply.message), reply.isFatal);
    }
    const { resolve } = this.#take();
    // A newer call replaces what is known now.
    resolve(this.#next ? undefined : reply.result);
    this.#sendNext();
  }

  #fail(error: LintFailure, isFatal = true): void {
    if (isFatal) this.#endWorker();
    if (!this.#running) return;
    this.#take().reject(error);
    this.#sendNext();
  }

  #take(): Waiting {
    const running = this.#running as Waiting & { timer: ReturnType<typeof setTimeout> };
    clearTimeout(running.timer);
    this.#running = undefined;
    return running;
  }

  #endWorker(): void {
    if (this.#running) clearTimeout(this.#running.timer);
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}
