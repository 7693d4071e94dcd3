// Why this file exists: every wait ends when the caller's signal does or its time is over, whether or
// not the work listens, and in runtimes without AbortSignal.any and AbortSignal.timeout (edge-runtime).

// The longest delay that setTimeout takes; a longer one would fire at once.
const longestDelay = 2 ** 31 - 1;

/** Settles as `work` does, or rejects with the signal's reason if that aborts first. */
export function abortable<T>(work: PromiseLike<T>, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason);
    const settled = () => signal?.removeEventListener('abort', stop);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject);
    work.then(settled, settled);
  });
}

/** Waits `ms` milliseconds; rejects with the signal's reason as soon as it aborts. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, longestDelay));
  });
  try {
    await abortable(over, signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Watches over one piece of work: `signal` tells the work to stop, `wait` stops waiting for it. Both
 * follow the caller's signal and a limit on each single wait.
 *
 * @example
 * const watch = new Watch(callerSignal, 1000, () => new Error('too slow'));
 * const response = await watch.wait(fetch(url, { signal: watch.signal }));
 * watch.release();
 */
export class Watch {
  readonly #controller = new AbortController();
  readonly #parent: AbortSignal | undefined;
  readonly #ms: number;
  readonly #late: () => Error;
  readonly #follow = () => this.#controller.abort(this.#parent?.reason);

  /** `ms`: how long a single wait may take; 0 or Infinity: for ever. `late` makes the reason then. */
  constructor(parent: AbortSignal | undefined, ms: number, late: () => Error) {
    this.#parent = parent;
    this.#ms = ms;
    this.#late = late;
    if (parent?.aborted) this.#follow();
    else parent?.addEventListener('abort', this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Settles as `work` does; once aborted or late, rejects with that reason whatever the work says. */
  async wait<T>(work: PromiseLike<T>): Promise<T> {
    const limited = this.#ms > 0 && this.#ms <= longestDelay;
    const stop = () => this.#controller.abort(this.#late());
    const timer = limited ? setTimeout(stop, this.#ms) : undefined;
    try {
      return await abortable(work, this.signal);
    } catch (error) {
      throw this.signal.aborted ? this.signal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Tells the work to stop. */
  abort(reason?: unknown): void {
    this.#controller.abort(reason);
    this.release();
  }

  /** Lets go of the caller's signal, which may live much longer than the work. */
  release(): void {
    this.#parent?.removeEventListener('abort', this.#follow);
  }
}
