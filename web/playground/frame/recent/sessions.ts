// Opens, saves, titles and removes sessions. The open one is saved a moment after each change. A session that another
// tab has open is opened as a copy, so that two tabs never overwrite each other.
import {
  emptyDocument,
  readDocument,
  type PlaygroundDocument,
} from '../../state/playground-document.js';
import { signal } from '@preact/signals';
import { messageOf } from '../../../sdk/internal/messages.js';
import { ifValid } from '../../engine/declaration.js';
import { readStored, store as keepInBrowser } from '../../state/browser-storage.js';
import { isEdit, type DocumentStore } from '../../state/document-store.js';
import type { Claim, Release, SessionRow, SessionStorage } from './session-storage.js';

const maxRead = 200_000;
const maxTitle = 80;

// Where the turns of a request begin: an instruction of the system may stand before them.
const turns = /"(?:contents|messages|input|steps)"\s*:/;
const message = /"(?:text|content|input|message)"\s*:\s*("(?:[^"\\]|\\.)+")/;

/** Returns the first message of a request, of an error or of saved turns; '' if there is none. */
function firstMessage(text: string): string {
  const read = text.slice(0, maxRead);
  const [, found = ''] = message.exec(read.slice(Math.max(0, read.search(turns)))) ?? [];
  return String(ifValid(() => JSON.parse(found)) ?? '');
}

const firstLine = (text: string) => text.trim().split('\n', 1)[0]?.trim() ?? '';

/** Returns the title of a session. */
export function titleOf({ view, lint, prompt, chat }: PlaygroundDocument): string {
  const isExample = lint.text === emptyDocument().lint.text;
  const titles = {
    chat: firstMessage(chat.saved),
    prompt: prompt.static,
    lint: isExample ? '' : firstMessage(lint.text) || lint.text,
  };
  const all = [titles[view], titles.chat, titles.lint, titles.prompt].map(firstLine);
  return (all.find((title) => title !== '') ?? 'Example request').slice(0, maxTitle);
}

const saveDelayMs = 300;
/** Under this name, the tab remembers which session a reload opens. */
const lastOpen = 'prompt-strata session';

/** The open session could not be saved, so nothing else takes its place unasked. */
export class UnsavedError extends Error {
  override name = 'UnsavedError';

  constructor(cause: unknown) {
    const advice = 'Copy what you need from it. Then choose again: its last changes will be lost.';
    super(`The open session is not saved: ${messageOf(cause)} ${advice}`, { cause });
  }
}

/** `new`: not changed, so not saved. An object says why the last change is not saved. */
export type SaveState = 'new' | 'saved' | 'saving' | { failed: unknown };

/** How a session was opened: as itself, or as a copy because another tab has it open. */
export type Opened = 'itself' | 'copy';

/** The sessions, one of which is open. */
export class Sessions {
  /** All saved sessions, the newest first, as they were when the list was read. */
  readonly rows = signal<readonly SessionRow[]>([]);
  readonly state = signal<SaveState>('new');
  readonly storage: SessionStorage;
  readonly #document: DocumentStore;
  readonly #claim: Claim;
  #open: { id: string; release: Release } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> = Promise.resolve();
  /** The user was told that the last changes will be lost. */
  #isWarned = false;

  constructor(storage: SessionStorage, document: DocumentStore, claim: Claim) {
    this.storage = storage;
    this.#document = document;
    this.#claim = claim;
    document.subscribe((value, previous, cause) => {
      const isSaved = this.state.peek() !== 'new';
      if (cause !== 'open' && (isSaved || isEdit(value, previous))) this.#changed();
    });
  }

  /** The ID of the open session. */
  get openId(): string | undefined {
    return this.#open?.id;
  }

  /** Reads the list, which other tabs change. */
  async load(): Promise<void> {
    const rows = await this.storage.list();
    this.rows.value = rows.sort((a, b) => b.changed - a.changed);
  }

  /**
   * Opens the session that was open last in this tab, else the newest, else a new one. Returns whether it is a copy, and why
   * others were passed over, one sentence for each.
   */
  async restore(): Promise<{ opened: Opened; problems: string[] }> {
    await this.load();
    const last = readStored('tab', lastOpen);
    const isLast = ({ id }: SessionRow) => Number(id === last);
    const problems: string[] = [];
    for (const { id, name } of this.rows.value.toSorted((a, b) => isLast(b) - isLast(a))) {
      try {
        return { opened: await this.open(id), problems };
      } catch (error) {
        problems.push(`The session ${name} was not opened. ${messageOf(error)}`);
      }
    }
    await this.create();
    return { opened: 'itself', problems };
  }

  /**
   * Opens a session, or a copy of it.
   *
   * @throws DocumentError if the saved document is damaged or of another version; UnsavedError as `leave`
   */
  async open(id: string): Promise<Opened> {
    if (id === this.openId) return 'itself';
    await this.leave();
    const release = await this.#claim(id);
    try {
      const saved = await this.storage.read(id);
      if (saved === undefined) throw new Error('This session was deleted in another tab.');
      const document = readDocument(saved);
      if (!release) {
        await this.create(document);
        return 'copy';
      }
      // What has changed since `leave`.
      await this.flush();
      this.#show({ id, release }, document, 'saved');
      return 'itself';
    } catch (error) {
      release?.();
      throw error;
    }
  }

  /**
   * Starts a session, which is saved with its first change.
   *
   * @throws UnsavedError as `leave`
   */
  async create(document: PlaygroundDocument = emptyDocument()): Promise<void> {
    await this.leave();
    const id = crypto.randomUUID();
    const release = (await this.#claim(id)) ?? (() => {});
    await this.flush();
    this.#show({ id, release }, document, 'new');
  }

  /**
   * Removes a session; if it is open, a new one takes its place. Returns a function that restores it.
   *
   * @throws Error if another tab has it open, or whatever the browser reports if it cannot delete
   */
  async remove(id: string): Promise<() => Promise<void>> {
    await this.flush();
    const wasOpen = id === this.openId;
    const release = wasOpen ? () => {} : await this.#claim(id);
    if (!release) throw new Error('This session is open in another tab. Delete it there.');
    try {
      await this.load();
      const row = this.rows.value.find((one) => one.id === id);
      const document = await this.storage.read(id);
      await this.storage.delete(id);
      if (wasOpen) await this.create();
      await this.load();
      return async () => {
        // Also one that this version of the page does not open.
        if (row) await this.storage.write(row, document);
        await this.load();
        if (wasOpen) await this.open(id);
      };
    } finally {
      release();
    }
  }

  /**
   * Saves the open session before something else takes its place.
   *
   * @throws UnsavedError the first time that it could not be saved
   */
  async leave(): Promise<void> {
    await this.flush();
    const state = this.state.peek();
    if (typeof state !== 'object' || this.#isWarned) return;
    this.#isWarned = true;
    throw new UnsavedError(state.failed);
  }

  /** Saves what is not saved yet. */
  async flush(): Promise<void> {
    this.#document.settle();
    if (this.#timer !== undefined) this.#save();
    await this.#saving;
  }

  #show(open: { id: string; release: Release }, document: PlaygroundDocument, state: SaveState) {
    this.#open?.release();
    this.#open = open;
    this.state.value = state;
    if (state === 'saved') keepInBrowser('tab', lastOpen, open.id);
    this.#document.open(document);
  }

  #changed(): void {
    this.#timer ??= setTimeout(() => this.#save(), saveDelayMs);
    this.#isWarned = false;
    this.state.value = 'saving';
  }

  #save(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#open) return;
    const { id } = this.#open;
    const { value } = this.#document;
    const row = { id, name: titleOf(value), changed: Date.now() };
    keepInBrowser('tab', lastOpen, id);
    this.rows.value = [row, ...this.rows.value.filter((one) => one.id !== id)];
    const saving = this.storage.write(row, value).then(
      () => {
        const isNewest = this.#timer === undefined && saving === this.#saving;
        this.state.value = isNewest ? 'saved' : 'saving';
      },
      (failed: unknown) => {
        this.state.value = { failed };
      },
    );
    this.#saving = saving;
  }
}
