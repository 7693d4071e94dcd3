// Ends waits when the caller's signal aborts or a time limit passes, even if the work ignores its signal. It does
// not need AbortSignal.any and AbortSignal.timeout, which Vercel's edge-runtime lacks.

/** The longest delay of setTimeout; a longer one would fire at once. */
export const longestDelay = 2 ** 31 - 1;

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

/** Calls `work`; what it throws becomes a rejection. */
export async function promiseTry<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  return work();
}

/** A timer of Node and Bun, which can be restarted, and need not keep the process alive. */
export interface Restartable {
  refresh?: () => Restartable;
  ref?: () => void;
  unref?: () => void;
}

/**
 * Applies an abort signal and a time limit to one operation. Pass `signal` to the operation, and await it with
 * `wait`. Both end when the caller's signal aborts or a single wait exceeds the limit.
 *
 * @example
 * const watch = new Watch(callerSignal, 1000, () => new Error('too slow'));
 * const response = await watch.wait(fetch(url, { signal: watch.signal }));
 * return watch.waitLast(response.text());
 */
export class Watch {
  readonly #controller = new AbortController();
  readonly #parent: AbortSignal | undefined;
  readonly #ms: number;
  readonly #timeoutError: () => Error;
  readonly #abortWithParent = () => this.#end(this.#parent?.reason);
  /** Reject the waits that are not settled. */
  readonly #waits = new Set<(reason: unknown) => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `ms` limits a single wait; 0 or Infinity means no limit. `timeoutError` creates the reason of a timeout. */
  constructor(parent: AbortSignal | undefined, ms: number, timeoutError: () => Error) {
    this.#parent = parent;
    this.#ms = ms <= longestDelay ? ms : 0;
    this.#timeoutError = timeoutError;
    if (parent?.aborted) this.#abortWithParent();
    else parent?.addEventListener('abort', this.#abortWithParent, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Settles like `work`. After an abort or a timeout, rejects with its reason, whatever error `work` has. */
  wait<T>(work: PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const { signal } = this;
      const settle = () => {
        this.#waits.delete(reject);
        if (this.#waits.size === 0) this.#stopTimer();
      };
      const onResolved = (value: T) => {
        settle();
        resolve(value);
      };
      const onRejected = (error: unknown) => {
        settle();
        reject(signal.aborted ? signal.reason : error);
      };
      if (signal.aborted) reject(signal.reason);
      else {
        this.#waits.add(reject);
        this.#startTimer();
      }
      work.then(onResolved, onRejected);
    });
  }

  /** Like `wait`, for the last work of the operation: releases the caller's signal when it settles. */
  async waitLast<T>(work: PromiseLike<T>): Promise<T> {
    try {
      return await this.wait(work);
    } finally {
      this.release();
    }
  }

  /** Aborts the operation and releases the caller's signal. Returns the signal's reason. */
  abort(reason?: unknown): unknown {
    this.#end(reason);
    this.release();
    return this.signal.reason;
  }

  /** Stops listening to the caller's signal, which may live much longer than the operation. */
  release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#parent?.removeEventListener('abort', this.#abortWithParent);
  }

  #end(reason: unknown): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#controller.abort(reason);
    for (const reject of this.#waits) reject(this.signal.reason);
    this.#waits.clear();
  }

  #startTimer(): void {
    if (!(this.#ms > 0)) return;
    const timer: Restartable = Object(this.#timer);
    if (timer.refresh) timer.refresh().ref?.();
    else
      this.#timer = setTimeout(
        () => this.#waits.size > 0 && this.#end(this.#timeoutError()),
        this.#ms,
      );
  }

  // A stream waits for each of its reads; to restart one timer costs less than another one.
  #stopTimer(): void {
    const timer: Restartable = Object(this.#timer);
    if (timer.refresh) timer.unref?.();
    else clearTimeout(this.#timer);
  }
}
