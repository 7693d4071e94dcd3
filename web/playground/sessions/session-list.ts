// Shows the saved sessions: open, rename, remove, and start a new one.
import { messageOf } from '../../sdk/base/error-message.js';
import { button, element } from '../dom.js';
import { Modal } from '../shell/modal.js';
import type { SessionRow } from './session-storage.js';
import type { Sessions } from './sessions.js';

/** What the list tells the page. */
export interface SessionListOptions {
  /** Whether sessions survive a reload. */
  isSaved: boolean;
  announce: (text: string) => void;
  /** Offers to undo a removal. */
  offer: (label: string, restore: () => void) => void;
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
  #problem = '';

  constructor(sessions: Sessions, options: SessionListOptions) {
    this.#sessions = sessions;
    this.#options = options;
    this.#modal = new Modal('Sessions', () => this.#content());
  }

  open(): void {
    this.#problem = '';
    this.#modal.open();
  }

  /** Starts a session and closes the dialog. If the open one is not saved, the dialog says so. */
  async create(): Promise<void> {
    try {
      await this.#sessions.create();
    } catch (error) {
      this.#problem = messageOf(error);
      return this.#modal.open();
    }
    this.#modal.close();
    this.#options.announce('Started a new session');
  }

  #content(): Node[] {
    const { rows, current } = this.#sessions;
    const isListed = rows.some(({ id }) => id === current?.id);
    const all = current && !isListed ? [current, ...rows] : rows;
    const start = button('New session', () => void this.create());
    start.className = 'main';
    return [
      element('p', { className: 'note' }, this.#options.isSaved ? savedNote : unsavedNote),
      element('p', { className: 'bad', role: 'alert' }, this.#problem),
      element('ul', { className: 'sessions' }, ...all.map((row) => this.#row(row))),
      start,
    ];
  }

  #row(row: SessionRow): HTMLElement {
    const isCurrent = row.id === this.#sessions.current?.id;
    const name = element('input', { value: row.name, maxLength: 80 });
    name.ariaLabel = `Name of ${row.name}`;
    name.onchange = () => void this.#sessions.rename(row.id, name.value);
    const open = button(isCurrent ? 'Open now' : 'Open', () => void this.#open(row));
    open.ariaLabel = `${open.textContent}: ${row.name}`;
    open.disabled = isCurrent;
    const remove = button('Delete', () => void this.#remove(row));
    remove.ariaLabel = `Delete ${row.name}`;
    const changed = element('small', {}, `changed ${time(row.changed)}`);
    return element('li', {}, name, open, remove, changed);
  }

  async #open(row: SessionRow): Promise<void> {
    const isOpen = await this.#sessions.open(row.id).catch((error: unknown) => {
      this.#problem = messageOf(error);
      return undefined;
    });
    if (isOpen) return this.#modal.close();
    if (isOpen === false) this.#problem = `${row.name} is open in another tab.`;
    this.#modal.refill();
  }

  async #remove(row: SessionRow): Promise<void> {
    const restore = await this.#sessions.remove(row.id);
    this.#modal.close();
    this.#options.offer(`Deleted the session ${row.name}`, () => void restore());
  }
}
