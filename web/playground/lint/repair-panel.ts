// Shows what a repair changes, one hunk at a time, each to accept or to leave.
import { amount, button, element } from '../dom.js';
import { textPlaces } from '../editor/positions.js';
import type { RepairedText, RepairHunk } from './analysis-result.js';
import { hunkDifference } from './hunk-difference.js';
import { countsOf, fixWords } from './words.js';

export interface RepairPanelEvents {
  /** Called with the hunks that the user accepted. */
  onApply: (hunks: readonly RepairHunk[]) => void;
  onCancel: () => void;
}

/** The difference between a text and its repair. */
export class RepairPanel {
  readonly element = element('section', { className: 'repair-panel', ariaLabel: 'Repair' });
  readonly #events: RepairPanelEvents;
  readonly #title = element('h2', { tabIndex: -1 });
  readonly #apply: HTMLButtonElement;
  #hunks: { hunk: RepairHunk; box: HTMLInputElement }[] = [];

  constructor(events: RepairPanelEvents) {
    this.#events = events;
    this.#apply = button('', () => events.onApply(this.#accepted));
    this.#apply.className = 'main';
    this.element.hidden = true;
    this.element.onkeydown = ({ key }) => {
      if (key === 'Escape') events.onCancel();
    };
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** Shows a repair of this text. */
  show(text: string, repaired: RepairedText): void {
    const places = textPlaces(
      text,
      repaired.hunks.map(({ from }) => from),
    );
    const hunks = repaired.hunks.map((hunk, index) => {
      const box = element('input', { type: 'checkbox', checked: true });
      box.onchange = () => this.#showCount();
      return { hunk, box, line: places[index]?.line ?? 1 };
    });
    this.#hunks = hunks;
    const items = hunks.map(({ hunk, box, line }, i) =>
      hunkView(hunk, label(box, hunk, line, i + 1), text),
    );
    const all = button('Accept all', () => this.#check(true));
    const none = button('Leave all', () => this.#check(false));
    const cancel = button('Cancel', () => this.#events.onCancel());
    this.#title.textContent = `Repair: ${amount(hunks.length, 'change')}`;
    this.element.replaceChildren(
      this.#title,
      element('p', { className: 'note' }, outcomeOf(repaired)),
      element('div', { className: 'actions' }, this.#apply, all, none, cancel),
      element('ol', { className: 'hunks' }, ...items),
    );
    this.#showCount();
    this.element.hidden = false;
    this.#title.focus();
  }

  hide(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
    this.#hunks = [];
  }

  get #accepted(): RepairHunk[] {
    return this.#hunks.filter(({ box }) => box.checked).map(({ hunk }) => hunk);
  }

  #check(isAccepted: boolean): void {
    for (const { box } of this.#hunks) box.checked = isAccepted;
    this.#showCount();
  }

  #showCount(): void {
    const { length } = this.#accepted;
    this.#apply.textContent = `Apply ${length} of ${amount(this.#hunks.length, 'change')}`;
    this.#apply.disabled = length === 0;
  }
}

function outcomeOf({ ok, remaining }: RepairedText): string {
  if (ok) return 'With all changes, no errors remain.';
  return `With all changes, there remain: ${countsOf(remaining)}.`;
}

function label(box: HTMLInputElement, { codes }: RepairHunk, line: number, number: number) {
  const rules = element('code', {}, [...new Set(codes)].join(', '));
  return element('label', {}, box, ` Change ${number}, line ${line}: `, rules);
}

function hunkView(hunk: RepairHunk, box: HTMLElement, text: string): HTMLElement {
  const fixes = [...new Set(hunk.fixes)].map((fix) => element('p', {}, ...fixWords(fix)));
  return element('li', { className: 'hunk' }, box, ...fixes, hunkDifference(text, hunk));
}
