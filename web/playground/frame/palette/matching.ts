// Finds the actions that a text names.
import { viewLabels } from '../tabs.js';
import type { Action } from '../../state/action-list.js';

/** Returns the actions that contain all words, those whose name starts with the text first. */
export function matching(actions: readonly Action[], text: string): Action[] {
  const query = text.trim().toLowerCase();
  const words = query.split(/\s+/);
  const textOf = ({ name, view }: Action) =>
    `${name} ${view ? viewLabels[view] : ''}`.toLowerCase();
  const found = actions.filter((action) => words.every((word) => textOf(action).includes(word)));
  const isStart = ({ name }: Action) => Number(name.toLowerCase().startsWith(query));
  return found.sort((a, b) => isStart(b) - isStart(a));
}
