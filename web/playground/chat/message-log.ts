// Holds the scrolling list of messages: it follows its end, and long lists are filled in slices.
import { element } from '../../ui/dom.js';

// The time during which screen readers must not announce a change.
const silentMs = 300;
// The longest slice of work between two frames.
const sliceMs = 12;

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/** The element with the role log. */
export class MessageLog {
  readonly root: HTMLElement;
  readonly #empty: ChildNode[];
  #atEnd = true;
  #isFollowing = false;
  #filling = 0;

  /** The initial children are shown while there are no messages. */
  constructor(root: HTMLElement) {
    this.root = root;
    this.#empty = [...root.childNodes];
    root.onscroll = () => {
      if (!this.#isFollowing)
        this.#atEnd = root.scrollHeight - root.scrollTop - root.clientHeight < 48;
    };
  }

  /** Appends nodes and follows the end. */
  append(...nodes: Node[]): void {
    for (const node of this.#empty) node.remove();
    this.root.append(...nodes);
    this.follow();
  }

  /** Shows the initial children if there are no messages. */
  restoreEmpty(): void {
    if (this.root.childNodes.length === 0) this.root.append(...this.#empty);
  }

  /** Scrolls to the end with the next frame, unless the user has scrolled up. */
  follow(): void {
    if (!this.#atEnd || this.#isFollowing) return;
    this.#isFollowing = true;
    requestAnimationFrame(() => {
      this.root.scrollTop = this.root.scrollHeight;
      this.#isFollowing = false;
    });
  }

  /**
   * Empties the log and shows the notice, if there is one. Returns a function that restores the previous log and
   * adds a note to it.
   */
  clear(notice?: HTMLElement): (note: string) => void {
    const { root } = this;
    const [atEnd, { scrollTop }, nodes] = [this.#atEnd, root, [...root.childNodes]];
    this.#filling++;
    this.#atEnd = true;
    root.replaceChildren(...(notice ? [notice] : []), ...this.#empty);
    return (note) => {
      this.#withoutAnnouncing(() => root.replaceChildren(...nodes));
      root.scrollTop = scrollTop;
      this.#atEnd = atEnd;
      root.querySelector('.restored')?.remove();
      this.append(element('p', { className: 'note restored', role: 'status' }, note));
    };
  }

  /** Shows other messages without announcing them. `draw` returns the nodes of one; slices keep the page responsive. */
  async fill<Item>(items: readonly Item[], draw: (item: Item) => Node[]): Promise<void> {
    const filling = ++this.#filling;
    const { scrollTop } = this.root;
    this.#withoutAnnouncing(() => this.root.replaceChildren());
    let start = performance.now();
    for (const item of items) {
      this.root.append(...draw(item));
      if (performance.now() - start < sliceMs) continue;
      await nextTask();
      if (filling !== this.#filling) return;
      start = performance.now();
    }
    this.restoreEmpty();
    if (this.#atEnd) this.follow();
    else this.root.scrollTop = scrollTop;
  }

  // Prevents a screen reader from announcing restored content again.
  #withoutAnnouncing(change: () => void): void {
    this.root.ariaLive = 'off';
    change();
    for (const announced of this.root.querySelectorAll('[role=status], [role=alert]'))
      announced.role = null;
    setTimeout(() => (this.root.ariaLive = null), silentMs);
  }
}
