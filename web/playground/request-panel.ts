// Shows the requests of a conversation, one at a time: the newest until another is chosen.
import { button, count, element } from './dom.js';
import { requestView } from './request-view.js';
import type { SentRequest } from './session.js';

interface Shown {
  request: SentRequest;
  tab: HTMLButtonElement;
  view: HTMLElement;
  counted: HTMLElement;
}

/** The panel of requests. */
export class RequestPanel {
  readonly #tabs: HTMLElement;
  readonly #place: HTMLElement;
  readonly #empty: Node[];
  #requests: Shown[] = [];

  /** What stands in `place` is shown while there is no request. */
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
    const counted = element('span');
    this.#requests.push({ request, tab, counted, view: requestView(request, counted) });
    this.select(number);
    this.#place.scrollTop = 0;
  }

  /** Tells what the API counted for the newest request's prompt. */
  counted(tokens: number): void {
    const { request, counted } = this.#requests.at(-1) ?? {};
    if (counted) counted.textContent = `; ${request?.service} counted ${count(tokens)} in all`;
  }

  select(number: number): void {
    for (const { request, tab, view } of this.#requests) {
      const chosen = request.number === number;
      tab.ariaCurrent = chosen ? 'true' : null;
      if (chosen) this.#place.replaceChildren(view);
    }
  }

  /** Shows that there is no request yet. The function that it returns brings back what was there. */
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

  /** Brings the panel into view, where it stands below the conversation. */
  reveal(number: number): void {
    this.select(number);
    this.#tabs.scrollIntoView({ block: 'start' });
  }
}
