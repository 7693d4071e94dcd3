// Shows, above the open view, what the address of the page opened: a shared link, a rule, or why neither opens.
import { button, element } from '../../../ui/dom.js';
import './guide.css';

/** The bar above the views. */
export class Guide {
  readonly #place: HTMLElement;
  readonly #bar = element('section', { className: 'guide', hidden: true });

  constructor(place: HTMLElement) {
    this.#place = place;
  }

  /** Shows a text with its buttons. `label` names the bar for screen readers. */
  show(label: string, ...content: Node[]): void {
    if (!this.#bar.isConnected) this.#place.prepend(this.#bar);
    this.#bar.ariaLabel = label;
    this.#bar.replaceChildren(...content);
    this.#bar.hidden = false;
  }

  /** Shows why something did not open, until it is dismissed. */
  showProblem(text: string, dismissed: () => void): void {
    const message = element('p', { role: 'alert' }, text);
    const dismiss = button('Dismiss', dismissed);
    this.show('Problem', message, element('div', { className: 'actions' }, dismiss));
  }

  hide(): void {
    this.#bar.hidden = true;
    this.#bar.replaceChildren();
  }
}
