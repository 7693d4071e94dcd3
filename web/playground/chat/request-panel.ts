// Shows one request of a conversation: the newest, unless the user selects another.
import { button, count, element } from '../../ui/dom.js';
import { requestView } from './request-view.js';
import type { SentRequest } from './session.js';

interface Shown {
  request: SentRequest;
  tab: HTMLButtonElement;
  view: HTMLElement;
  tokenCount: HTMLElement;
}

/** The panel with the requests. */
export class RequestPanel {
  readonly #tabs: HTMLElement;
  readonly #place: HTMLElement;
  readonly #empty: Node[];
  #requests: Shown[] = [];

  /** The initial children of `place` are shown while there are no requests. */
  constructor(tabs: HTMLElement, place: HTMLElement) {
    this.#tabs = tabs;
    this.#place = place;
    this.#empty = [...place.childNodes];
  }

  /** Adds a request and shows it. */
  add(request: SentRequest): void {
    const { number } = request;
    const tab = button(String(number), () => this.select(number));
    tab.ariaLabel = `Request ${number}`;
    this.#tabs.append(tab);
    const tokenCount = element('span');
    this.#requests.push({ request, tab, tokenCount, view: requestView(request, tokenCount) });
    this.select(number);
    this.#place.scrollTop = 0;
  }

  /** Shows the API's token count of the newest request's prompt. */
  showTokenCount(tokens: number): void {
    const { request, tokenCount } = this.#requests.at(-1) ?? {};
    if (tokenCount)
      tokenCount.textContent = `; ${request?.service} counted ${count(tokens)} in total`;
  }

  /** Shows a request. */
  select(number: number): void {
    for (const { request, tab, view } of this.#requests) {
      const isSelected = request.number === number;
      tab.ariaCurrent = isSelected ? 'true' : null;
      if (isSelected) this.#place.replaceChildren(view);
    }
  }

  /** Removes all requests. Returns a function that restores them. */
  clear(): () => void {
    const requests = this.#requests;
    const [tabs, shown] = [[...this.#tabs.childNodes], [...this.#place.childNodes]];
    const { scrollTop } = this.#place;
    this.#requests = [];
    this.#tabs.replaceChildren();
    this.#place.replaceChildren(...this.#empty);
    return () => {
      this.#requests = requests;
      this.#tabs.replaceChildren(...tabs);
      this.#place.replaceChildren(...shown);
      this.#place.scrollTop = scrollTop;
    };
  }

  /** Shows a request and scrolls to the panel, which is below the conversation in narrow windows. */
  reveal(number: number): void {
    this.select(number);
    this.#tabs.scrollIntoView({ block: 'start' });
  }
}
