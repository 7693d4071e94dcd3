// Lists the branches: earlier courses of the conversation, which can be opened again.
import type { Branch } from '../state/playground-document.js';
import { amount, button, element } from '../../ui/dom.js';
import { excerptOf, savedTurns, textOfContent, type SavedTurn } from './saved-turns.js';

/** Returns a name for a course: its last message of the user, and its length. */
export function courseName(turns: readonly SavedTurn[]): string {
  const texts = turns
    .filter(({ content }) => content.role !== 'model')
    .map(({ content }) => content);
  const last = texts.map(textOfContent).findLast((text) => text.trim() !== '') ?? '';
  const length = amount(turns.length, 'turn');
  return last === '' ? length : `${excerptOf(last)} (${length})`;
}

/** Returns a name for a saved course, also for one whose turns cannot be read here. */
export function savedCourseName(saved: string): string {
  try {
    return courseName(savedTurns(saved));
  } catch {
    return 'Earlier chat';
  }
}

/** Returns the branches with another one, unless it is there already. */
export function withBranch(branches: readonly Branch[], added: Branch): Branch[] {
  return [...branches.filter(({ saved }) => saved !== added.saved), added];
}

/** Shows the branches, with buttons that open and delete them. */
export class BranchList {
  readonly root = element('details', { className: 'branches', hidden: true });
  readonly #summary = element('summary');
  readonly #list = element('ul');
  readonly #open: (index: number) => void;
  readonly #remove: (index: number) => void;

  constructor(open: (index: number) => void, remove: (index: number) => void) {
    this.#open = open;
    this.#remove = remove;
    this.root.append(this.#summary, this.#list);
  }

  /** Shows these branches. */
  show(branches: readonly Branch[], isReadOnly: boolean): void {
    this.root.hidden = branches.length === 0;
    this.#summary.textContent = branches.length === 1 ? '1 branch' : `${branches.length} branches`;
    this.#list.replaceChildren(
      ...branches.map(({ name }, index) => {
        const open = button(name, () => this.#open(index));
        open.title = 'Continue this course; the one that is shown becomes a branch';
        const remove = button('Delete', () => this.#remove(index));
        remove.ariaLabel = `Delete the branch ${name}`;
        open.disabled = remove.disabled = isReadOnly;
        return element('li', {}, open, remove);
      }),
    );
  }
}
