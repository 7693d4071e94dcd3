// Shows what the repairs of a text change, each to accept or to leave.
import { amount, button, element } from '../../ui/dom.js';
import { textPlaces } from '../../ui/editor/positions.js';
import type { Analysis, TextRepair } from '../engine/lint-result.js';
import { editDifference } from './edit-difference.js';
import { countsOf, fixWords } from '../engine/words.js';

export interface RepairPanelEvents {
  /** Called with the repairs that the user accepted. */
  onApply: (repairs: readonly TextRepair[]) => void;
  onCancel: () => void;
}

/** The difference between a text and its repair. */
export class RepairPanel {
  readonly element = element('section', { className: 'repair-panel', ariaLabel: 'Repair' });
  readonly #events: RepairPanelEvents;
  readonly #title = element('h2', { tabIndex: -1 });
  readonly #apply: HTMLButtonElement;
  #repairs: { repair: TextRepair; box: HTMLInputElement }[] = [];

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

  /** Shows the repairs of a text. */
  show(analysis: Analysis): void {
    const { text } = analysis;
    const start = ({ edits }: TextRepair) => edits[0]?.from ?? 0;
    const repairs = analysis.repairs.toSorted((a, b) => start(a) - start(b));
    const places = textPlaces(text, repairs.map(start));
    this.#repairs = repairs.map((repair) => {
      const box = element('input', { type: 'checkbox', checked: true });
      box.onchange = () => this.#showCount();
      return { repair, box };
    });
    const items = this.#repairs.map(({ repair, box }, i) =>
      repairView(repair, label(box, repair, places[i]?.line ?? 1, i + 1), text),
    );
    const all = button('Accept all', () => this.#check(true));
    const none = button('Leave all', () => this.#check(false));
    const cancel = button('Cancel', () => this.#events.onCancel());
    this.#title.textContent = amount(repairs.length, 'repair');
    this.element.replaceChildren(
      this.#title,
      element('p', { className: 'note' }, outcomeOf(analysis)),
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
    this.#repairs = [];
  }

  get #accepted(): TextRepair[] {
    return this.#repairs.filter(({ box }) => box.checked).map(({ repair }) => repair);
  }

  #check(isAccepted: boolean): void {
    for (const { box } of this.#repairs) box.checked = isAccepted;
    this.#showCount();
  }

  #showCount(): void {
    const { length } = this.#accepted;
    this.#apply.textContent = `Make ${length} of ${amount(this.#repairs.length, 'repair')}`;
    this.#apply.disabled = length === 0;
  }
}

function outcomeOf({ canRepairAll, findings }: Analysis): string {
  if (canRepairAll) return 'With all repairs, no errors remain.';
  const others = findings.filter(({ repair }) => repair === undefined);
  return `No repair without your decision: ${countsOf(others)}.`;
}

function label(box: HTMLInputElement, { codes }: TextRepair, line: number, number: number) {
  const rules = element('code', {}, codes.join(', '));
  return element('label', {}, box, ` Repair ${number}, line ${line}: `, rules);
}

function repairView({ fixes, edits }: TextRepair, box: HTMLElement, text: string): HTMLElement {
  const words = fixes.map((fix) => element('p', {}, ...fixWords(fix)));
  const differences = edits.map((edit) => editDifference(text, edit));
  return element('li', { className: 'hunk' }, box, ...words, ...differences);
}
