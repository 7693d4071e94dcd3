// Saves sessions in the browser's IndexedDB.
import { completed, openDatabase, settled } from '../../sdk/base/indexeddb.js';
import type { PlaygroundDocument } from '../document/playground-document.js';
import type { SessionRow, SessionStorage } from './session-storage.js';

const stores = ['rows', 'documents'];

/** Sessions in IndexedDB. */
export class SavedSessions implements SessionStorage {
  readonly #database: IDBDatabase;

  /**
   * Opens the database.
   *
   * @throws whatever the browser reports if it refuses storage, as some do in private windows
   */
  static async open(): Promise<SavedSessions> {
    return new SavedSessions(await openDatabase('prompt-strata playground', stores));
  }

  private constructor(database: IDBDatabase) {
    this.#database = database;
    // Another tab may delete or upgrade the database.
    database.onversionchange = () => database.close();
  }

  async list(): Promise<SessionRow[]> {
    const { rows } = this.#stores('readonly');
    return settled<SessionRow[]>(rows.getAll());
  }

  async read(id: string): Promise<unknown> {
    const { documents } = this.#stores('readonly');
    return settled<unknown>(documents.get(id));
  }

  async write(row: SessionRow, document?: PlaygroundDocument): Promise<void> {
    const { rows, documents, transaction } = this.#stores('readwrite');
    rows.put(row, row.id);
    if (document) documents.put(document, row.id);
    await completed(transaction);
  }

  async delete(id: string): Promise<void> {
    const { rows, documents, transaction } = this.#stores('readwrite');
    rows.delete(id);
    documents.delete(id);
    await completed(transaction);
  }

  #stores(mode: IDBTransactionMode) {
    const transaction = this.#database.transaction(stores, mode);
    const rows = transaction.objectStore('rows');
    return { transaction, rows, documents: transaction.objectStore('documents') };
  }
}
