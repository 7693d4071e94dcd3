// Saves sessions in the browser's IndexedDB, or in memory where the browser refuses it.
import { completed, Database, settled } from '../../../sdk/internal/indexeddb.js';

/** What the list shows of a session. */
export interface SessionRow {
  id: string;
  /** Its first message. */
  name: string;
  /** The time of the last change, in milliseconds since 1970. */
  changed: number;
}

/** Where sessions are saved. */
export interface SessionStorage {
  /** Whether sessions survive a reload. */
  readonly isLasting: boolean;
  /** Returns all sessions, in any order. */
  list(): Promise<SessionRow[]>;
  /** Returns a saved document, unchecked; undefined if there is none. */
  read(id: string): Promise<unknown>;
  /** Saves a session: a document of this page, or what was saved before by any version of it. */
  write(row: SessionRow, document: unknown): Promise<void>;
  delete(id: string): Promise<void>;
}

class SavedSessions implements SessionStorage {
  readonly isLasting = true;
  readonly #database = new Database('prompt-strata playground', ['rows', 'documents']);

  async list(): Promise<SessionRow[]> {
    const { rows } = await this.#stores('readonly');
    return settled<SessionRow[]>(rows.getAll());
  }

  async read(id: string): Promise<unknown> {
    const { documents } = await this.#stores('readonly');
    return settled<unknown>(documents.get(id));
  }

  async write(row: SessionRow, document: unknown): Promise<void> {
    const { rows, documents, transaction } = await this.#stores('readwrite');
    rows.put(row, row.id);
    documents.put(document, row.id);
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

/** Sessions that last as long as the page. */
export class MemorySessions implements SessionStorage {
  readonly isLasting = false;
  readonly #saved = new Map<string, { row: SessionRow; document: unknown }>();

  async list(): Promise<SessionRow[]> {
    return [...this.#saved.values()].map(({ row }) => row);
  }

  async read(id: string): Promise<unknown> {
    return this.#saved.get(id)?.document;
  }

  async write(row: SessionRow, document: unknown): Promise<void> {
    this.#saved.set(row.id, { row, document });
  }

  async delete(id: string): Promise<void> {
    this.#saved.delete(id);
  }
}

/** Returns the sessions of this browser; some browsers refuse to save any in private windows. */
export async function openStorage(): Promise<SessionStorage> {
  const saved = new SavedSessions();
  return saved.list().then(
    () => saved,
    () => new MemorySessions(),
  );
}
