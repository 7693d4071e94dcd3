// Defines where sessions are saved, and saves them in memory where the browser refuses storage.

/** What the list shows of a session. */
export interface SessionRow {
  id: string;
  name: string;
  /** The time of the last change, in milliseconds since 1970. */
  changed: number;
}

/** Where sessions are saved. */
export interface SessionStorage {
  /** Returns all sessions, in any order. */
  list(): Promise<SessionRow[]>;
  /** Returns a saved document, unchecked; undefined if there is none. */
  read(id: string): Promise<unknown>;
  /** Saves a row, and its document if one is given: one of this page, or what was saved before by any version of it. */
  write(row: SessionRow, document?: unknown): Promise<void>;
  delete(id: string): Promise<void>;
}

/** Sessions that last as long as the page. */
export class MemorySessions implements SessionStorage {
  readonly #rows = new Map<string, SessionRow>();
  readonly #documents = new Map<string, unknown>();

  async list(): Promise<SessionRow[]> {
    return [...this.#rows.values()];
  }

  async read(id: string): Promise<unknown> {
    return this.#documents.get(id);
  }

  async write(row: SessionRow, document?: unknown): Promise<void> {
    this.#rows.set(row.id, row);
    if (document !== undefined) this.#documents.set(row.id, document);
  }

  async delete(id: string): Promise<void> {
    this.#rows.delete(id);
    this.#documents.delete(id);
  }
}
