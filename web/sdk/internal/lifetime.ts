// Ends work when the caller's signal aborts or a time limit passes, even if the work ignores its signal, and frees
// handles. It does not need AbortSignal.any and AbortSignal.timeout, which Vercel's edge-runtime lacks.

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

/** Resolves after `ms` milliseconds, at most 2^31 - 1; rejects with the reason of `source` if it aborts first. */
export async function sleep(ms: number, source?: AbortSource): Promise<void> {
  const signal = source instanceof Watch ? source.signal : source;
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

/** What ends an operation from outside: a signal of the caller, or the watch of a longer operation. */
export type AbortSource = AbortSignal | Watch;

/**
 * Applies an abort signal and a time limit to one operation. Pass `signal` to the operation, and await it with
 * `wait`. Both end when the caller's signal aborts or a single wait exceeds the limit. The signal is created when
 * somebody asks for it: it is the most costly part.
 *
 * @example
 * const watch = new Watch(callerSignal, 1000, () => new Error('too slow'));
 * const response = await watch.wait(fetch(url, { signal: watch.signal }));
 * return watch.waitLast(response.text());
 */
export class Watch {
  readonly #controller = new AbortController();
  readonly #parent: AbortSource | undefined;
  #end: { reason: unknown } | undefined;
  readonly #ms: number;
  readonly #timeoutError: () => Error;
  readonly #abortWithParent = () => this.#endWith(this.#parent?.reason);
  /** End the watches within this one. */
  readonly #children = new Set<() => void>();
  /** Reject the waits that are not settled. */
  readonly #waits = new Set<(reason: unknown) => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `ms` limits a single wait; 0 or Infinity means no limit. `timeoutError` creates the reason of a timeout. */
  constructor(parent: AbortSource | undefined, ms: number, timeoutError: () => Error) {
    this.#parent = parent;
    this.#ms = ms <= longestDelay ? ms : 0;
    this.#timeoutError = timeoutError;
    if (parent?.aborted) this.#abortWithParent();
    else if (parent instanceof Watch) parent.#children.add(this.#abortWithParent);
    else parent?.addEventListener('abort', this.#abortWithParent, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get aborted(): boolean {
    return this.#end !== undefined;
  }

  /** Why the operation was aborted. */
  get reason(): unknown {
    return this.#end?.reason;
  }

  /** Settles like `work`. After an abort or a timeout, rejects with its reason, whatever error `work` has. */
  wait<T>(work: PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
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
        reject(this.#end ? this.#end.reason : error);
      };
      if (this.#end) reject(this.#end.reason);
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
    this.#endWith(reason);
    this.release();
    return this.reason;
  }

  /** Stops listening to the caller's signal, which may live much longer than the operation. */
  release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const parent = this.#parent;
    if (parent instanceof Watch) parent.#children.delete(this.#abortWithParent);
    else parent?.removeEventListener('abort', this.#abortWithParent);
  }

  #endWith(reason: unknown): void {
    if (this.#end) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // An abort without a reason gets one.
    this.#controller.abort(reason);
    this.#end = { reason: this.signal.reason };
    for (const end of this.#children) end();
    for (const reject of this.#waits) reject(this.reason);
    this.#waits.clear();
  }

  #startTimer(): void {
    if (!(this.#ms > 0)) return;
    const timer: Restartable = Object(this.#timer);
    if (timer.refresh) timer.refresh().ref?.();
    else
      this.#timer = setTimeout(
        () => this.#waits.size > 0 && this.#endWith(this.#timeoutError()),
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

// WebKit has no Symbol.dispose yet, and Workers with an old compatibility date have no FinalizationRegistry.
export const dispose: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');

/** Returns the result of `use` and disposes `resource`. */
export function withDisposable<Resource extends Disposable, Result>(
  resource: Resource,
  use: (resource: Resource) => Result,
): Result {
  try {
    return use(resource);
  } finally {
    resource[dispose]();
  }
}
