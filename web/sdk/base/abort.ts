// Ends waits when the caller's signal aborts or a time limit passes, even if the work ignores its signal. It does
// not need AbortSignal.any and AbortSignal.timeout, which Vercel's edge-runtime lacks.

// The longest delay of setTimeout; a longer one would fire at once.
const longestDelay = 2 ** 31 - 1;

/** Settles like `work`, or rejects with the signal's reason if the signal aborts first. */
export function abortable<T>(work: PromiseLike<T>, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal?.reason);
    const removeListener = () => signal?.removeEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject);
    work.then(removeListener, removeListener);
  });
}

/** Resolves after `ms` milliseconds, at most 2^31 - 1; rejects with the signal's reason if it aborts first. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const delay = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, longestDelay));
  });
  try {
    await abortable(delay, signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Applies an abort signal and a time limit to one operation. Pass `signal` to the operation, and await it with
 * `wait`. Both end when the caller's signal aborts or a single wait exceeds the limit.
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
  readonly #timeoutError: () => Error;
  readonly #abortWithParent = () => this.#controller.abort(this.#parent?.reason);

  /** `ms` limits a single wait; 0 or Infinity means no limit. `timeoutError` creates the reason of a timeout. */
  constructor(parent: AbortSignal | undefined, ms: number, timeoutError: () => Error) {
    this.#parent = parent;
    this.#ms = ms;
    this.#timeoutError = timeoutError;
    if (parent?.aborted) this.#abortWithParent();
    else parent?.addEventListener('abort', this.#abortWithParent, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Settles like `work`. After an abort or a timeout, rejects with its reason, whatever error `work` has. */
  async wait<T>(work: PromiseLike<T>): Promise<T> {
    const limited = this.#ms > 0 && this.#ms <= longestDelay;
    const onTimeout = () => this.#controller.abort(this.#timeoutError());
    const timer = limited ? setTimeout(onTimeout, this.#ms) : undefined;
    try {
      return await abortable(work, this.signal);
    } catch (error) {
      throw this.signal.aborted ? this.signal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Aborts the operation and releases the caller's signal. */
  abort(reason?: unknown): void {
    this.#controller.abort(reason);
    this.release();
  }

  /** Stops listening to the caller's signal, which may live much longer than the operation. */
  release(): void {
    this.#parent?.removeEventListener('abort', this.#abortWithParent);
  }
}
