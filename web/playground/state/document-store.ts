// Holds the document of the open session: one place where every view reads, changes and undoes.
import { signal, type Signal } from '@preact/signals';
import { isObject } from '../../sdk/internal/json.js';
import type { PlaygroundDocument } from './playground-document.js';

/** Other values of some fields, or a function that returns the changed document. */
type Change = Partial<PlaygroundDocument> | ((value: PlaygroundDocument) => PlaygroundDocument);

/** Why the document changed. After `open`, it is another document. */
export type Cause = 'update' | 'undo' | 'open';

type Listener = (value: PlaygroundDocument, previous: PlaygroundDocument, cause: Cause) => void;

/** What was removed, and the document before and after that. */
export interface Undoable {
  /** What happened, as a sentence without a period: "Removed the tool". */
  label: string;
  before: PlaygroundDocument;
  after: PlaygroundDocument;
}

const maxUndo = 50;

/** Whether a change is one of the user's content, and not only of the open view. */
export function isEdit(value: PlaygroundDocument, previous: PlaygroundDocument): boolean {
  const names = Object.keys({ ...value, ...previous }) as (keyof PlaygroundDocument)[];
  return names.some((name) => name !== 'view' && value[name] !== previous[name]);
}

/**
 * The document and its listeners. Documents are never changed in place. `value` and `undoable` are read from signals: a
 * component that reads them is drawn again when they change.
 */
export class DocumentStore {
  readonly #value: Signal<PlaygroundDocument>;
  readonly #undoable = signal<readonly Undoable[]>([]);
  readonly #listeners: Listener[] = [];
  readonly #settlers: (() => void)[] = [];

  constructor(value: PlaygroundDocument) {
    this.#value = signal(value);
  }

  get value(): PlaygroundDocument {
    return this.#value.value;
  }

  /** The newest change that can be undone. */
  get undoable(): Undoable | undefined {
    return this.#undoable.value.at(-1);
  }

  /** Changes the document. `undo` makes that undoable, under this label: "Removed the tool". */
  update(change: Change, undo?: string): void {
    const before = this.#value.peek();
    const after = typeof change === 'function' ? change(before) : { ...before, ...change };
    if (after === before) return;
    if (undo !== undefined) this.#keep({ label: undo, before, after });
    this.#set(after, 'update');
  }

  /**
   * Takes the newest undoable change back, and keeps what was changed or typed since. Where that is not possible, taking
   * it back can be undone as well. Returns the label of the change.
   */
  undo(): string | undefined {
    this.settle();
    const last = this.undoable;
    if (!last) return undefined;
    const current = this.#value.peek();
    const { value, isReplaced } = takeBack(last.before, last.after, current);
    const after = { ...value, view: current.view };
    this.#undoable.value = this.#undoable.peek().slice(0, -1);
    if (isReplaced) this.#keep({ label: `Undone: ${last.label}`, before: current, after });
    this.#set(after, 'undo');
    return last.label;
  }

  /**
   * Calls `settle` before another document takes the place of this one, before Undo, and before it is saved for the last
   * time: views store there what the user has typed and they have not stored yet.
   */
  beforeLeaving(settle: () => void): void {
    this.#settlers.push(settle);
  }

  /** Lets the views store what they have not stored yet. */
  settle(): void {
    for (const settle of this.#settlers) settle();
  }

  /** Shows another document, such as that of another session. What could be undone belongs to the old one. */
  open(value: PlaygroundDocument): void {
    this.#undoable.value = [];
    this.#set(value, 'open');
  }

  /** Calls `listener` after every change. */
  subscribe(listener: Listener): void {
    this.#listeners.push(listener);
  }

  #keep(change: Undoable): void {
    this.#undoable.value = [...this.#undoable.peek(), change].slice(-maxUndo);
  }

  #set(value: PlaygroundDocument, cause: Cause): void {
    const previous = this.#value.peek();
    this.#value.value = value;
    for (const listener of this.#listeners) listener(value, previous, cause);
  }
}

/** A value without a change, and whether something that was changed since had to give way. */
interface TakenBack<Value> {
  value: Value;
  isReplaced: boolean;
}

/**
 * Returns `current` without what a change made of `before` when it made `after`. A value that was changed since becomes
 * that of `before`.
 */
function takeBack<Value>(before: Value, after: Value, current: Value): TakenBack<Value> {
  if (before === after) return { value: current, isReplaced: false };
  if (current === after) return { value: before, isReplaced: false };
  if (!isObject(before) || !isObject(after) || !isObject(current))
    return { value: before, isReplaced: true };
  const names = new Set([...Object.keys(before), ...Object.keys(current)]);
  const fields = [...names].map(
    (name) => [name, takeBack(before[name], after[name], current[name])] as const,
  );
  const entries = fields.filter(([, { value }]) => value !== undefined);
  return {
    value: Object.fromEntries(entries.map(([name, { value }]) => [name, value])) as Value,
    isReplaced: fields.some(([, { isReplaced }]) => isReplaced),
  };
}
