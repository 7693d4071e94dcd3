// Collects the actions of the page and of its views for the command palette.
import type { ViewName } from './playground-document.js';

/** Something that the user can do. */
export interface Action {
  /** What it does, verb first: "Repair all findings". */
  name: string;
  /** The view it belongs to; undefined for the whole page. The palette opens that view first. */
  view?: ViewName;
  /** Its own keys, as they are shown: "Ctrl+Enter". */
  keys?: string;
  /** Whether it can run now. Default: always. */
  isPossible?: () => boolean;
  run: () => void;
}

/** All actions, in the order in which they were added. */
export class ActionList {
  readonly #actions = new Set<Action>();

  /** Adds actions. Returns a function that removes them. */
  add(...actions: Action[]): () => void {
    for (const action of actions) this.#actions.add(action);
    return () => {
      for (const action of actions) this.#actions.delete(action);
    };
  }

  /** The actions that can run now. */
  get possible(): Action[] {
    return [...this.#actions].filter(({ isPossible }) => isPossible?.() ?? true);
  }
}
