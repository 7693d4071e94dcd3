// Holds the document of the open session: one place where every view reads, changes and undoes.
import { signal, type Signal } from '@preact/signals';
import type { PlaygroundDocument } from './playground-document.js';
import { takeBack } from './take-back.js';

type Change = (value: PlaygroundDocument) => PlaygroundDocument;

/** Why the document changed. After `open`, it is another document; after `fork`, the same one, now editable. */
export type Cause = 'update' | 'undo' | 'open' | 'fork';

type Listener = (value: PlaygroundDocument, previous: PlaygroundDocument, cause: Cause) => void;

/** What was removed, and the document before and after that. */
export interface Undoable {
  /** What happened, as a sentence without a period: "Removed the tool". */
  label: string;
  before: PlaygroundDocument;
  after: PlaygroundDocument;
}

export interface UpdateOptions {
  /** Makes the change undoable, under this label: "Removed the tool". */
  undo?: string;
}

const maxUndo = 50;

/**
 * The document and its listeners. Documents are never changed in place. `value`, `isReadOnly` and `undoable` are read from
 * signals: a component that reads them is drawn again when they change.
 */
export class DocumentStore {
  readonly #value: Signal<PlaygroundDocument>;
  readonly #isReadOnly: Signal<boolean>;
  readonly #undoable = signal<readonly Undoable[]>([]);
  readonly #listeners = new Set<Listener>();
  readonly #settlers = new Set<() => void>();

  constructor(value: PlaygroundDocument, options: { isReadOnly?: boolean } = {}) {
    this.#value = signal(value);
    this.#isReadOnly = signal(options.isReadOnly ?? false);
  }

  get value(): PlaygroundDocument {
    return this.#value.value;
  }

  /** Whether this is somebody's shared link, until the user forks it. Views then disable editing. */
  get isReadOnly(): boolean {
    return this.#isReadOnly.value;
  }

  /** The newest change that can be undone. */
  get undoable(): Undoable | undefined {
    return this.#undoable.value.at(-1);
  }

  /** Replaces the document by what `change` returns. Does nothing while the document is read-only, except for the view. */
  update(change: Change, { undo }: UpdateOptions = {}): void {
    const before = this.#value.peek();
    const after = change(before);
    if (after === before) return;
    if (this.#isReadOnly.peek()) {
      if (after.view !== before.view) this.#set({ ...before, view: after.view }, 'update');
      return;
    }
    if (undo !== undefined)
      this.#undoable.value = [...this.#undoable.peek(), { label: undo, before, after }].slice(
        -maxUndo,
      );
    this.#set(after, 'update');
  }

  /**
   * Takes the newest undoable change back, and keeps what was changed or typed since. Where that is not possible, taking
   * it back can be undone as well. Returns the label of the change.
   */
  undo(): string | undefined {
    this.settle();
    const last = this.#undoable.peek().at(-1);
    if (!last) return undefined;
    const rest = this.#undoable.peek().slice(0, -1);
    const current = this.#value.peek();
    const { value, replaced } = takeBack(last.before, last.after, current);
    const after = { ...value, view: current.view };
    // The chat keeps the turns that it loses as a branch.
    const isKept = replaced.every((path) => path.startsWith('/chat/'));
    const redo: Undoable = { label: `Undone: ${last.label}`, before: current, after };
    this.#undoable.value = isKept ? rest : [...rest, redo];
    this.#set(after, 'undo');
    return last.label;
  }

  /**
   * Calls `settle` before another document takes the place of this one, before Undo, and before it is saved for the last
   * time: views store there what the user has typed and they have not stored yet.
   */
  beforeLeaving(settle: () => void): void {
    this.#settlers.add(settle);
  }

  /** Lets the views store what they have not stored yet. */
  settle(): void {
    if (!this.#isReadOnly.peek()) for (const settle of this.#settlers) settle();
  }

  /** Shows another document, such as that of another session. What could be undone belongs to the old one. */
  open(value: PlaygroundDocument, options: { isReadOnly?: boolean } = {}): void {
    this.#undoable.value = [];
    this.#isReadOnly.value = options.isReadOnly ?? false;
    this.#set(value, 'open');
  }

  /** Makes a read-only document the user's own. */
  fork(): void {
    if (!this.#isReadOnly.peek()) return;
    this.#isReadOnly.value = false;
    this.#set({ ...this.#value.peek() }, 'fork');
  }

  /** Calls `listener` after every change. Returns a function that removes it. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #set(value: PlaygroundDocument, cause: Cause): void {
    const previous = this.#value.peek();
    this.#value.value = value;
    for (const listener of [...this.#listeners]) listener(value, previous, cause);
  }
}
