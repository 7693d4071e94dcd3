// Stores conversations in the browser's IndexedDB.
import { StrataError } from '../sdk/internal/errors.js';
import * as must from '../sdk/internal/options.js';
import { completed, Database, settled } from '../sdk/internal/indexeddb-promises.js';
import { checkLines, type ConversationStore } from '../sdk/chat/store.js';

const stores = ['lines', 'kept'];

// Keys are [conversation, line or name]. An array sorts after every number and string.
const from = (id: string, at: number) => IDBKeyRange.bound([id, at], [id, []], false, true);
const all = (id: string) => IDBKeyRange.bound([id], [id, []], false, true);

/**
 * A store in IndexedDB.
 *
 * @example
 * const store = new IndexedDbStore('my-app');
 */
export class IndexedDbStore implements ConversationStore {
  readonly #database: Database;

  /**
   * `name`: name of the database within this origin.
   *
   * @throws StrataError `field.invalid` unless it is a text that is not empty
   */
  constructor(name = 'prompt-strata') {
    must.nonEmptyString(name, '/name');
    this.#database = new Database(name, stores);
  }

  async read(id: string): Promise<string[]> {
    const { lines } = await this.#stores('readonly');
    return settled(lines.getAll(from(id, 0)));
  }

  async write(id: string, at: number, lines: string[], expected?: number): Promise<void> {
    const { lines: store, transaction } = await this.#stores('readwrite');
    if (expected !== undefined) checkLines(await settled(store.count(from(id, 0))), expected);
    store.delete(from(id, at));
    lines.forEach((line, index) => store.put(line, [id, at + index]));
    await completed(transaction);
  }

  async store(id: string, name: string, bytes: Uint8Array): Promise<void> {
    const { blobs, transaction } = await this.#stores('readwrite');
    blobs.put(bytes.slice(), [id, name]);
    await completed(transaction);
  }

  async readStored(id: string, name: string): Promise<Uint8Array | undefined> {
    const { blobs } = await this.#stores('readonly');
    return settled<Uint8Array | undefined>(blobs.get([id, name]));
  }

  async list(): Promise<string[]> {
    const { lines } = await this.#stores('readonly');
    const ids: string[] = [];
    const nextAfter = (key: IDBValidKey) =>
      settled(lines.getKey(IDBKeyRange.lowerBound(key, true)));
    for (let key = await nextAfter([]); key !== undefined;) {
      const [id] = key as [string, number];
      ids.push(id);
      key = await nextAfter([id, []]);
    }
    return ids;
  }

  async delete(id: string): Promise<void> {
    const { lines, blobs, transaction } = await this.#stores('readwrite');
    lines.delete(all(id));
    blobs.delete(all(id));
    await completed(transaction);
  }

  /**
   * Closes the database; the next call opens it again.
   *
   * @throws the error with which the database could not be opened
   */
  async close(): Promise<void> {
    await this.#database.close();
  }

  async #stores(mode: IDBTransactionMode) {
    if (typeof indexedDB === 'undefined') {
      throw new StrataError('store.unavailable', 'This environment has no IndexedDB');
    }
    const transaction = await this.#database.transaction(mode);
    const lines = transaction.objectStore('lines');
    return { transaction, lines, blobs: transaction.objectStore('kept') };
  }
}
