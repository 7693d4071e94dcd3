// Shows the saved sessions: open, rename, remove, and start a new one.
import { messageOf } from '../../../sdk/internal/messages.js';
import { button, element } from '../../../ui/dom.js';
import { Modal } from '../../../ui/modal.js';
import { OpenElsewhereError } from './session-claim.js';
import type { SessionRow } from './session-storage.js';
import type { Sessions } from './sessions.js';

/** What the list tells the page. */
export interface SessionListOptions {
  /** Whether sessions survive a reload. */
  isSaved: boolean;
  announce: (text: string) => void;
  /** Offers to undo a removal. */
  offer: (label: string, restore: () => Promise<void>) => void;
}

const savedNote = 'Sessions are saved in this browser only. An API key is never saved with them.';
const unsavedNote =
  'This browser refuses storage here, so sessions last until you leave or reload the page.';

const time = (changed: number) =>
  new Date(changed).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/** The dialog with the sessions. */
export class SessionList {
  readonly #sessions: Sessions;
  readonly #options: SessionListOptions;
  readonly #modal: Modal;
  readonly #problem = element('p', { className: 'bad', role: 'alert' });

  constructor(sessions: Sessions, options: SessionListOptions) {
    this.#sessions = sessions;
    this.#options = options;
    this.#modal = new Modal('Sessions', () => this.#content());
  }

  /** Shows the sessions, and those that other tabs have changed. */
  async open(): Promise<void> {
    this.#problem.textContent = '';
    this.#modal.open();
    const shown = JSON.stringify(this.#sessions.rows);
    await this.#attempt(() => this.#sessions.load());
    // A name that is being edited stays unless something has changed.
    if (JSON.stringify(this.#sessions.rows) !== shown) this.#modal.refill();
  }

  /** Starts a session and closes the dialog. If the open one is not saved, the dialog says so. */
  async create(): Promise<void> {
    const isStarted = await this.#attempt(() => this.#sessions.create());
    if (!isStarted) return this.#modal.open();
    this.#modal.close();
    this.#options.announce('Started a new session');
  }

  // Says in the dialog why an action failed. Returns whether it succeeded.
  async #attempt(action: () => Promise<unknown>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (error) {
      this.#problem.textContent = messageOf(error);
      return false;
    }
  }

  #content(): Node[] {
    const { rows, current } = this.#sessions;
    const isListed = rows.some(({ id }) => id === current?.id);
    const all = current && !isListed ? [current, ...rows] : rows;
    const start = button('New session', () => void this.create());
    start.className = 'main';
    return [
      element('p', { className: 'note' }, this.#options.isSaved ? savedNote : unsavedNote),
      this.#problem,
      element('ul', { className: 'sessions' }, ...all.map((row) => this.#row(row))),
      start,
    ];
  }

  #row(row: SessionRow): HTMLElement {
    const isCurrent = row.id === this.#sessions.current?.id;
    const name = element('input', { value: row.name, maxLength: 80 });
    name.ariaLabel = `Name of ${row.name}`;
    name.onchange = () => void this.#rename(row, name);
    const open = button(isCurrent ? 'Open now' : 'Open', () => void this.#open(row));
    open.ariaLabel = `${open.textContent}: ${row.name}`;
    open.disabled = isCurrent;
    const remove = button('Delete', () => void this.#remove(row));
    remove.ariaLabel = `Delete ${row.name}`;
    const changed = element('small', {}, `changed ${time(row.changed)}`);
    return element('li', {}, name, open, remove, changed);
  }

  async #open(row: SessionRow): Promise<void> {
    const isOpened = await this.#attempt(async () => {
      if (!(await this.#sessions.open(row.id)))
        throw new OpenElsewhereError(`${row.name} is open in another tab.`);
    });
    if (isOpened) this.#modal.close();
  }

  async #rename(row: SessionRow, field: HTMLInputElement): Promise<void> {
    const isRenamed = await this.#attempt(() => this.#sessions.rename(row.id, field.value));
    if (!isRenamed) field.value = row.name;
  }

  async #remove(row: SessionRow): Promise<void> {
    await this.#attempt(async () => {
      const restore = await this.#sessions.remove(row.id);
      this.#modal.close();
      this.#options.offer(`Deleted the session ${row.name}`, restore);
    });
  }
}
