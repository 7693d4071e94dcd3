// Creates the buttons with which a turn is edited, deleted, branched or run again.
import { button, element } from '../../ui/dom.js';

/** What the user can do with a turn. */
export type TurnAction = 'edit' | 'run' | 'branch' | 'delete';

/** Called with the action, the index of the turn, and the element that shows it. */
export type TurnHandler = (action: TurnAction, index: number, turn: HTMLElement) => void;

const labels: Record<TurnAction, string> = {
  edit: 'Edit',
  run: 'Run again',
  branch: 'Branch',
  delete: 'Delete',
};

const hints: Record<TurnAction, string> = {
  edit: 'Change the text of this turn',
  run: 'Request the answer again; the earlier course is kept as a branch',
  branch: 'Continue from here; the earlier course is kept as a branch',
  delete: 'Delete this turn; you can undo it',
};

/** Returns the buttons of a turn. */
export function turnActions(
  turn: HTMLElement,
  index: number,
  actions: readonly TurnAction[],
  handle: TurnHandler,
): HTMLElement {
  const group = element('div', { className: 'turn-actions', role: 'group' });
  group.ariaLabel = `Turn ${index + 1}`;
  for (const action of actions) {
    const control = button(labels[action], () => handle(action, index, turn));
    control.ariaLabel = `${labels[action]} turn ${index + 1}`;
    control.title = hints[action];
    control.dataset['action'] = action;
    group.append(control);
  }
  return group;
}
