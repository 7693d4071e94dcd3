// Holds the document of the open session: one place where every view reads, changes and undoes.
import { signal, type Signal } from '@preact/signals';
import type { PlaygroundDocument } from './playground-document.js';

type Change = (value: PlaygroundDocument) => PlaygroundDocument;

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

export interface UpdateOptions {
  /** Makes the change undoable, under this label: "Removed the tool". */
  undo?: string;
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
  readonly #listeners = new Set<Listener>();
  readonly #settlers = new Set<() => void>();

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

  /** Replaces the document by what `change` returns. */
  update(change: Change, { undo }: UpdateOptions = {}): void {
    const before = this.#value.peek();
    const after = change(before);
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
    const { value, replaced } = takeBack(last.before, last.after, current);
    const after = { ...value, view: current.view };
    this.#undoable.value = this.#undoable.peek().slice(0, -1);
    if (replaced.length > 0) this.#keep({ label: `Undone: ${last.label}`, before: current, after });
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
    for (const settle of this.#settlers) settle();
  }

  /** Shows another document, such as that of another session. What could be undone belongs to the old one. */
  open(value: PlaygroundDocument): void {
    this.#undoable.value = [];
    this.#set(value, 'open');
  }

  /** Calls `listener` after every change. Returns a function that removes it. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #keep(change: Undoable): void {
    this.#undoable.value = [...this.#undoable.peek(), change].slice(-maxUndo);
  }

  #set(value: PlaygroundDocument, cause: Cause): void {
    const previous = this.#value.peek();
    this.#value.value = value;
    for (const listener of [...this.#listeners]) listener(value, previous, cause);
  }
}

type Fields = { readonly [name: string]: unknown };

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value without a change. `replaced`: the paths of what was changed since and had to give way, as JSON Pointers. */
interface TakenBack<Value> {
  value: Value;
  replaced: string[];
}

// Returns the index for an item beside its nearest neighbour that is still there.
function placeOf(index: number, before: unknown[], current: unknown[]): number {
  for (let distance = 1; distance <= before.length; distance += 1) {
    const left = index >= distance ? current.indexOf(before[index - distance]) : -1;
    if (left >= 0) return left + 1;
    const right = index + distance < before.length ? current.indexOf(before[index + distance]) : -1;
    if (right >= 0) return right;
  }
  return Math.min(index, current.length);
}

// Takes what the change added out of a list, and inserts what it removed where it was.
function listWithout(before: unknown[], after: unknown[], current: unknown[]): unknown[] {
  const list = current.filter((item) => before.includes(item) || !after.includes(item));
  for (const [index, item] of before.entries())
    if (!after.includes(item)) list.splice(placeOf(index, before, list), 0, item);
  return list;
}

/**
 * Returns `current` without what a change made of `before` when it made `after`. Lists keep what was added to them since;
 * any other value that was changed since becomes that of `before`.
 */
function takeBack<Value>(before: Value, after: Value, current: Value, path = ''): TakenBack<Value> {
  if (before === after) return { value: current, replaced: [] };
  if (current === after) return { value: before, replaced: [] };
  if (Array.isArray(before) && Array.isArray(after) && Array.isArray(current)) {
    return { value: listWithout(before, after, current) as Value, replaced: [] };
  }
  if (!isFields(before) || !isFields(after) || !isFields(current))
    return { value: before, replaced: [path] };
  const names = new Set([...Object.keys(before), ...Object.keys(current)]);
  const fields = [...names].map(
    (name) =>
      [name, takeBack(before[name], after[name], current[name], `${path}/${name}`)] as const,
  );
  const entries = fields.filter(([, { value }]) => value !== undefined);
  return {
    value: Object.fromEntries(entries.map(([name, { value }]) => [name, value])) as Value,
    replaced: fields.flatMap(([, { replaced }]) => replaced),
  };
}
