// Frees handles of WebAssembly objects, also in runtimes without Symbol.dispose.

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
