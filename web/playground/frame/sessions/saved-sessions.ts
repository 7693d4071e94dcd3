// Saves sessions in the browser's IndexedDB.
import { completed, Database, settled } from '../../../sdk/internal/indexeddb.js';
import type { SessionRow, SessionStorage } from './session-storage.js';

/** Sessions in IndexedDB. */
export class SavedSessions implements SessionStorage {
  readonly #database = new Database('prompt-strata playground', ['rows', 'documents']);

  /**
   * Opens the database.
   *
   * @throws whatever the browser reports if it refuses storage, as some do in private windows
   */
  static async open(): Promise<SavedSessions> {
    const sessions = new SavedSessions();
    await sessions.#database.transaction('readonly');
    return sessions;
  }

  private constructor() {}

  async list(): Promise<SessionRow[]> {
    const { rows } = await this.#stores('readonly');
    return settled<SessionRow[]>(rows.getAll());
  }

  async read(id: string): Promise<unknown> {
    const { documents } = await this.#stores('readonly');
    return settled<unknown>(documents.get(id));
  }

  async write(row: SessionRow, document?: unknown): Promise<void> {
    const { rows, documents, transaction } = await this.#stores('readwrite');
    rows.put(row, row.id);
    if (document !== undefined) documents.put(document, row.id);
    await completed(transaction);
  }

  async delete(id: string): Promise<void> {
    const { rows, documents, transaction } = await this.#stores('readwrite');
    rows.delete(id);
    documents.delete(id);
    await completed(transaction);
  }

  async #stores(mode: IDBTransactionMode) {
    const transaction = await this.#database.transaction(mode);
    const rows = transaction.objectStore('rows');
    return { transaction, rows, documents: transaction.objectStore('documents') };
  }
}
