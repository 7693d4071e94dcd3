// Plays a history turn by turn: a slider, the list of its Contents, and the drawing of what belongs together.
import { button, element } from '../../ui/dom.js';
import type { Timeline, TimelineContent } from '../engine/lint-result.js';
import { historyDrawing } from './history-drawing.js';
import {
  detailsOf,
  factsOf,
  historySummary,
  kindWords,
  namesOf,
  verdictOf,
} from './history-words.js';
import { shownContents } from '../engine/limits.js';

const rowId = (index: number) => `history-${index}`;

function rowView(content: TimelineContent): HTMLLIElement {
  const { index, kind, turn, step, excerpt, canCutBefore: isCut } = content;
  const head = element('span', { className: 'row-head' });
  head.append(
    element('b', {}, `${index} ${kindWords[kind]}`),
    ` turn ${turn + 1}, step ${step + 1}`,
    ...factsOf(content).map((fact) => element('span', { className: 'fact' }, fact)),
    ...(isCut ? [element('span', { className: 'fact cut' }, 'cut point')] : []),
    ...(content.verdict === 'refused'
      ? [element('span', { className: 'fact bad' }, 'refused')]
      : []),
  );
  const text = element('span', { className: 'row-text' }, excerpt || namesOf(content));
  const row = element('li', { id: rowId(index), role: 'option' }, head, text);
  row.className = `row ${content.verdict}${isCut ? ' is-cut' : ''}${content.isCurrentTurn ? ' is-current' : ''}`;
  return row;
}

/** The history of a request. */
export class HistoryView {
  readonly element = element('section', { className: 'history', ariaLabel: 'History' });
  readonly #summary = element('p', { className: 'note' });
  readonly #slider = element('input', {
    type: 'range',
    min: '0',
    ariaLabel: 'Step through the history',
  });
  readonly #verdict = element('p', { className: 'verdict' });
  readonly #details = element('p', { className: 'note' });
  readonly #list = element('ol', {
    role: 'listbox',
    tabIndex: 0,
    ariaLabel: 'Contents of the history',
  });
  readonly #drawn = element('div', { className: 'history-drawn' });
  readonly #toRefused: HTMLButtonElement;
  readonly #onSelect: (content: TimelineContent) => void;
  #timeline: Timeline | undefined;
  #drawnKey = '';
  /** The first Content that is drawn. */
  #first = 0;
  #selected = 0;

  /** `onSelect` is called when the user selects a Content. */
  constructor(onSelect: (content: TimelineContent) => void) {
    this.#onSelect = onSelect;
    this.#slider.oninput = () => this.#select(Number(this.#slider.value));
    this.#list.onkeydown = (event) => this.#keyPressed(event);
    this.#list.onclick = ({ target }) => this.#clicked(target);
    this.#toRefused = button('First refused', () => this.showFirstRefused());
    const back = button('Back', () => this.#select(this.#selected - 1));
    const next = button('Next', () => this.#select(this.#selected + 1));
    const controls = element('div', { className: 'history-controls' });
    controls.append(back, this.#slider, next, this.#toRefused);
    const title = element('h2', {}, 'History');
    this.element.append(title, this.#summary, controls, this.#verdict, this.#details, this.#drawn);
  }

  /** Shows a history, or nothing. The selected step stays if the history is the same as before. */
  show(timeline: Timeline | undefined): void {
    this.#timeline = timeline;
    this.element.hidden = !timeline || timeline.turns.length === 0;
    if (!timeline || this.element.hidden) return;
    const { turns, firstRefused } = timeline;
    const summary = historySummary(timeline);
    if (summary !== this.#summary.textContent) {
      const refused = turns.findIndex(({ verdict }) => verdict === 'refused');
      this.#selected = refused < 0 ? turns.length - 1 : refused;
      this.#summary.textContent = summary;
      this.#slider.max = String(turns.length - 1);
      this.#toRefused.hidden = firstRefused === undefined;
    }
    this.#mark(Math.min(this.#selected, turns.length - 1));
  }

  /** Selects the first Content whose prefix is refused. */
  showFirstRefused(): void {
    const position = this.#timeline?.turns.findIndex(({ verdict }) => verdict === 'refused') ?? -1;
    if (position >= 0) this.#select(position);
  }

  // Draws the Contents around the selected one, unless they are drawn already. While the user types, most changes
  // do not change what is drawn.
  #draw(timeline: Timeline): void {
    const { turns } = timeline;
    const isNear = this.#selected >= this.#first && this.#selected < this.#first + shownContents;
    const last = Math.max(0, turns.length - shownContents);
    const centered = Math.max(0, Math.min(last, this.#selected - shownContents / 2));
    if (!isNear || this.#first > last) this.#first = centered;
    const drawn = turns.slice(this.#first, this.#first + shownContents);
    const key = JSON.stringify([drawn, turns.length], (name, value: unknown) =>
      ['from', 'to', 'range', 'args'].includes(name) ? undefined : value,
    );
    if (key === this.#drawnKey) return;
    this.#drawnKey = key;
    const rows = drawn.map((content, i) => {
      const row = rowView(content);
      row.ariaPosInSet = String(this.#first + i + 1);
      row.ariaSetSize = String(turns.length);
      return row;
    });
    this.#list.replaceChildren(...rows);
    this.#drawn.replaceChildren(historyDrawing(drawn), this.#list);
  }

  #select(position: number): void {
    const content = this.#timeline?.turns[position];
    if (!content) return;
    this.#mark(position);
    document.getElementById(rowId(content.index))?.scrollIntoView({ block: 'nearest' });
    this.#onSelect(content);
  }

  #mark(position: number): void {
    const content = this.#timeline?.turns[position];
    if (!content || !this.#timeline) return;
    this.#selected = position;
    this.#draw(this.#timeline);
    this.#slider.value = String(position);
    const verdict = verdictOf(content, this.#timeline);
    this.#slider.ariaValueText = `Content ${content.index}, ${kindWords[content.kind]}. ${verdict}`;
    this.#verdict.textContent = verdict;
    this.#verdict.classList.toggle('bad', content.verdict === 'refused');
    this.#details.textContent = detailsOf(content);
    this.#list.setAttribute('aria-activedescendant', rowId(content.index));
    [...this.#list.children].forEach((row, index) => {
      row.ariaSelected = String(this.#first + index === position);
      row.classList.toggle('later', this.#first + index > position);
    });
  }

  #clicked(target: EventTarget | null): void {
    const row = target instanceof Element ? target.closest('li') : null;
    if (row) this.#select(this.#first + [...this.#list.children].indexOf(row));
  }

  #keyPressed(event: KeyboardEvent): void {
    const last = (this.#timeline?.turns.length ?? 1) - 1;
    const positions: Record<string, number> = {
      ArrowDown: Math.min(last, this.#selected + 1),
      ArrowUp: Math.max(0, this.#selected - 1),
      Home: 0,
      End: last,
    };
    const position = positions[event.key];
    if (position === undefined) return;
    event.preventDefault();
    this.#select(position);
  }
}
