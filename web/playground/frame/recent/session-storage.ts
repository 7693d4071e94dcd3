// Saves sessions in the browser's IndexedDB, or in memory where the browser refuses it, and claims a session for one tab.
import { completed, Database, settled } from '../../../sdk/internal/indexeddb-promises.js';

/** What the list shows of a session. */
export interface SessionRow {
  id: string;
  name: string;
  /** The time of the last change, in milliseconds since 1970. */
  changed: number;
}

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
  // Safari's database may never answer, if the page was left while it wrote.
  const late = new Promise<never>((_, reject) => setTimeout(reject, 3000));
  return Promise.race([saved.list(), late]).then(
    () => saved,
    () => new MemorySessions(),
  );
}

export type Release = () => void;

/** Claims a session for this tab. Returns undefined if another tab has it open. */
export type Claim = (id: string) => Promise<Release | undefined>;

/** Claims a session. Where the browser has no locks, each tab works on a copy of its own. */
export const claimSession: Claim = (id) =>
  new Promise((resolve) => {
    const hold = (lock: Lock | null) => {
      if (lock) return new Promise<void>((end) => resolve(end));
      resolve(undefined);
      return undefined;
    };
    const name = `prompt-strata session ${id}`;
    const refused = () => resolve(undefined);
    // Insecure pages have no locks, and some browsers refuse them.
    if ('locks' in navigator)
      navigator.locks.request(name, { ifAvailable: true }, hold).catch(refused);
    else refused();
  });
