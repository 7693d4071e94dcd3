// Turns the requests and transactions of IndexedDB into promises.

/** Resolves with the result of a request. */
export function settled<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB reported no error'));
  });
}

/** Resolves when a transaction is complete. */
export function completed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () =>
      reject(transaction.error ?? new Error('IndexedDB reported no error'));
  });
}

/**
 * A database of version 1, whose object stores are created if it is new. It is opened when it is first used, and again
 * after the browser has closed it, as Safari does in the background.
 */
export class Database {
  readonly #name: string;
  readonly #stores: readonly string[];
  #opened: Promise<IDBDatabase> | undefined;

  constructor(name: string, stores: readonly string[]) {
    this.#name = name;
    this.#stores = stores;
  }

  /**
   * Begins a transaction on all object stores.
   *
   * @throws whatever the browser reports if it refuses storage, as some do in private windows
   */
  async transaction(mode: IDBTransactionMode): Promise<IDBTransaction> {
    const opened = this.#open();
    try {
      return (await opened).transaction(this.#stores, mode);
    } catch (error) {
      // Browsers do not always say that they have closed a database.
      if (Object(error).name !== 'InvalidStateError') throw error;
      this.#forget(opened);
      return (await this.#open()).transaction(this.#stores, mode);
    }
  }

  /**
   * Closes the database; the next transaction opens it again.
   *
   * @throws the error with which the database could not be opened
   */
  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    (await opened)?.close();
  }

  // If opening fails, the next call tries again.
  #open(): Promise<IDBDatabase> {
    if (this.#opened) return this.#opened;
    const opened = openDatabase(this.#name, this.#stores);
    const forget = () => this.#forget(opened);
    opened.then((database) => {
      database.onclose = forget;
      // Another tab may delete or upgrade the database.
      database.onversionchange = () => {
        database.close();
        forget();
      };
    }, forget);
    this.#opened = opened;
    return opened;
  }

  // Keeps a newer connection.
  #forget(opened: Promise<IDBDatabase>): void {
    if (this.#opened === opened) this.#opened = undefined;
  }
}

function openDatabase(name: string, stores: readonly string[]): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    for (const store of stores) request.result.createObjectStore(store);
  };
  return settled(request);
}
