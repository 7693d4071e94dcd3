// Frees what WebAssembly holds, also in runtimes without Symbol.dispose.

// WebKit has no Symbol.dispose yet, and Workers with an old compatibility date no registry.
export const dispose: typeof Symbol.dispose = Symbol.dispose ?? Symbol.for('Symbol.dispose');

/** Gives what `use` gives, and frees `held`. */
export function withDisposable<Held extends Disposable, Result>(
  held: Held,
  use: (held: Held) => Result,
): Result {
  try {
    return use(held);
  } finally {
    held[dispose]();
  }
}
