// Opens, saves, renames and removes sessions. The open one is saved a moment after each change.
import { messageOf } from '../../../sdk/internal/messages.js';
import type { DocumentStore } from '../../state/document-store.js';
import { emptyDocument, type PlaygroundDocument } from '../../state/playground-document.js';
import { readDocument } from '../../state/read-document.js';
import type { LastOpen } from './last-open.js';
import { SessionClaim, type Claim } from './session-claim.js';
import type { SessionRow, SessionStorage } from './session-storage.js';

const saveDelayMs = 300;

/** What a caller of Sessions provides. */
export interface SessionsOptions {
  storage: SessionStorage;
  document: DocumentStore;
  claim: Claim;
  lastOpen: LastOpen;
  /** Called after each change of the list, and of whether everything is saved. */
  onChange: () => void;
}

/** The open session could not be saved, so nothing else takes its place unasked. */
export class UnsavedError extends Error {
  override name = 'UnsavedError';

  constructor(cause: unknown) {
    const advice = 'Copy what you need from it. Then choose again: its last changes will be lost.';
    super(`The open session is not saved: ${messageOf(cause)} ${advice}`, { cause });
  }
}

/** Whether the open session is saved; a text says why not. */
export type SaveState = 'saved' | 'saving' | { failed: unknown };

/** The sessions, one of which is open. A shared link belongs to none until it is forked. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #claim: SessionClaim;
  #rows: SessionRow[] = [];
  #current: SessionRow | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> = Promise.resolve();
  #state: SaveState = 'saved';
  #isOpening = false;
  /** The user was told that the last changes will be lost. */
  #isWarned = false;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#claim = new SessionClaim(options.claim);
    options.document.subscribe((_value, _previous, cause) => {
      if (cause === 'open' && !this.#isOpening) this.#current = undefined;
      else if (cause === 'fork') void this.#adopt();
      else if (cause !== 'open') this.#changed();
    });
  }

  /** All sessions, the newest first, as they were when the list was read. */
  get rows(): readonly SessionRow[] {
    return this.#rows;
  }

  /** The open session; undefined while a shared link is shown. */
  get current(): SessionRow | undefined {
    return this.#current;
  }

  get state(): SaveState {
    return this.#state;
  }

  /** Reads the list, which other tabs change. */
  async load(): Promise<void> {
    const rows = await this.#options.storage.list();
    this.#rows = rows.sort((a, b) => b.changed - a.changed);
    this.#options.onChange();
  }

  /**
   * Opens the session that was open last in this tab, else the newest that no other tab has open, else a new one. Returns
   * why it passed over others, one sentence for each.
   */
  async restore(): Promise<string[]> {
    const { id: last } = this.#options.lastOpen;
    const isLast = ({ id }: SessionRow) => id === last;
    const rows = [...this.#rows.filter(isLast), ...this.#rows.filter((row) => !isLast(row))];
    const problems: string[] = [];
    for (const { id, name } of rows) {
      const isOpened = await this.open(id).catch((error: unknown) => {
        problems.push(`The session ${name} was not opened. ${messageOf(error)}`);
        return false;
      });
      if (isOpened) return problems;
    }
    await this.create();
    return problems;
  }

  /**
   * Opens a session. Returns false if another tab has it open.
   *
   * @throws DocumentError if the saved document is damaged or of another version; UnsavedError as `leave`
   */
  async open(id: string): Promise<boolean> {
    if (id === this.#current?.id) return true;
    await this.leave();
    return this.#claim.moveTo(id, async () => {
      const row = await this.#newest(id);
      if (!row) throw new Error('This session was deleted in another tab.');
      const document = readDocument(await this.#options.storage.read(id));
      // What has changed since `leave`.
      await this.flush();
      this.#show(row, document);
    });
  }

  /**
   * Starts a session, which is saved with its first change.
   *
   * @throws UnsavedError as `leave`
   */
  async create(document: PlaygroundDocument = emptyDocument()): Promise<void> {
    const row = { id: crypto.randomUUID(), name: nameNow(), changed: Date.now() };
    await this.leave();
    await this.#claim.moveTo(row.id, async () => this.#show(row, document));
  }

  /**
   * Renames a session.
   *
   * @throws OpenElsewhereError, or whatever the browser reports if it cannot save the name
   */
  async rename(id: string, name: string): Promise<void> {
    if (name.trim() === '') return;
    await this.#claim.during(id, async () => {
      const row = await this.#newest(id);
      if (!row) return;
      const renamed = { ...row, name: name.trim() };
      // A new session has no document yet.
      const document = id === this.#current?.id ? this.#options.document.value : undefined;
      await this.#options.storage.write(renamed, document);
      this.#replace(renamed);
    });
  }

  /**
   * Removes a session, and opens another if it was open. Returns a function that restores it.
   *
   * @throws OpenElsewhereError, or whatever the browser reports if it cannot delete
   */
  async remove(id: string): Promise<() => Promise<void>> {
    await this.flush();
    return this.#claim.during(id, async () => {
      const row = await this.#newest(id);
      const wasOpen = id === this.#current?.id;
      const { storage, document } = this.#options;
      const saved = wasOpen ? document.value : await storage.read(id);
      await storage.delete(id);
      await this.load();
      if (wasOpen) {
        this.#current = undefined;
        await this.restore();
      }
      return async () => {
        if (!row) return;
        // Also one that this version of the page does not open.
        await storage.write(row, saved);
        await this.load();
        if (wasOpen) await this.open(id);
      };
    });
  }

  /**
   * Saves the open session before something else takes its place.
   *
   * @throws UnsavedError the first time that it could not be saved
   */
  async leave(): Promise<void> {
    await this.flush();
    if (!this.#current || typeof this.#state !== 'object' || this.#isWarned) return;
    this.#isWarned = true;
    throw new UnsavedError(this.#state.failed);
  }

  /** Saves what is not saved yet. */
  async flush(): Promise<void> {
    this.#options.document.settle();
    if (this.#timer !== undefined) this.#save();
    await this.#saving;
  }

  /** Returns a session's row, as the tab that had it open last has written it. */
  async #newest(id: string): Promise<SessionRow | undefined> {
    await this.load();
    if (id === this.#current?.id) return this.#current;
    return this.#rows.find((row) => row.id === id);
  }

  #show(row: SessionRow, document: PlaygroundDocument): void {
    this.#current = row;
    this.#options.lastOpen.id = row.id;
    this.#state = 'saved';
    this.#isOpening = true;
    this.#options.document.open(document);
    this.#isOpening = false;
    this.#options.onChange();
  }

  // A fork of a shared link becomes a session.
  async #adopt(): Promise<void> {
    this.#current = { id: crypto.randomUUID(), name: nameNow(), changed: Date.now() };
    this.#options.lastOpen.id = this.#current.id;
    this.#changed();
    await this.#claim.moveTo(this.#current.id, async () => {});
  }

  #changed(): void {
    if (!this.#current) return;
    this.#timer ??= setTimeout(() => this.#save(), saveDelayMs);
    this.#isWarned = false;
    this.#setState('saving');
  }

  #save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#current) return;
    const row = { ...this.#current, changed: Date.now() };
    const { value } = this.#options.document;
    this.#replace(row);
    const saving = this.#options.storage.write(row, value).then(
      () => {
        const isNewest = this.#timer === undefined && saving === this.#saving;
        this.#setState(isNewest ? 'saved' : 'saving');
      },
      (failed: unknown) => this.#setState({ failed }),
    );
    this.#saving = saving;
  }

  #replace(row: SessionRow): void {
    if (row.id === this.#current?.id) this.#current = row;
    this.#rows = [row, ...this.#rows.filter(({ id }) => id !== row.id)];
    this.#rows.sort((a, b) => b.changed - a.changed);
    this.#options.onChange();
  }

  #setState(state: SaveState): void {
    this.#state = state;
    this.#options.onChange();
  }
}

// Names a new session by its start, such as "Nov 22, 21:30".
function nameNow(): string {
  const format = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
  return new Date().toLocaleString('en-US', { ...format, hourCycle: 'h23' });
}
