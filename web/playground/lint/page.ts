// Creates the elements of the view Lint.
import { button, element } from '../../ui/dom.js';

/** What the buttons of the view do. */
export interface PageActions {
  open: () => void;
  copy: () => void;
  download: () => void;
  clear: () => void;
  chat: () => void;
  repairAll: () => void;
  showExample: () => void;
}

/** The elements, without the parts that other modules create. */
export class LintPage {
  readonly form = element('span', { className: 'form-name' });
  readonly notice = element('p', { className: 'lint-notice', role: 'status', hidden: true });
  readonly state = element('p', { className: 'lint-state', role: 'status' });
  readonly failure = element('p', { className: 'bad', role: 'alert', hidden: true });
  readonly empty: HTMLElement;
  readonly notes = element('div', { className: 'lint-notes' });
  readonly title = element('h2', { tabIndex: -1 }, 'Findings');
  readonly open: HTMLButtonElement;
  readonly clear: HTMLButtonElement;
  readonly repairAll: HTMLButtonElement;
  readonly chat: HTMLButtonElement;
  readonly #actions: PageActions;

  constructor(actions: PageActions) {
    this.#actions = actions;
    this.open = button('Open a file', actions.open);
    this.clear = button('Clear', actions.clear);
    this.repairAll = button('Repair all', actions.repairAll);
    this.repairAll.className = 'main';
    this.chat = button('Continue as chat', actions.chat);
    this.empty = emptyView(actions.showExample);
  }

  /** Moves the focus to what can be done with the findings. */
  focusFindings(): void {
    if (this.repairAll.hidden || this.repairAll.disabled) this.title.focus();
    else this.repairAll.focus();
  }

  /** Shows why parts of the text have no request. `convert` makes a Gemini request of OpenAI messages. */
  showNotes(notes: readonly string[], convert: (() => void) | undefined): void {
    const lines = notes.map((note) => element('p', { className: 'note' }, note));
    this.notes.replaceChildren(...lines);
    if (!convert) return;
    const text = 'These messages were linted as the Gemini request that they become.';
    const replace = button('Replace them with that request', convert);
    this.notes.append(element('p', { className: 'note' }, text), replace);
  }

  /** Returns the columns of the view: the text, and what is found in it. */
  layOut(parts: {
    fields: Node;
    text: Node;
    findings: Node;
    repair: Node;
    history: Node;
  }): HTMLElement {
    const heading = element(
      'div',
      { className: 'lint-head' },
      element('h2', {}, 'Request'),
      this.form,
    );
    const { copy, download } = this.#actions;
    const tools = element('div', { className: 'actions' }, this.open);
    tools.append(button('Copy', copy), button('Download', download), this.clear, this.chat);
    const input = element('section', { className: 'lint-input', ariaLabel: 'Request' });
    input.append(heading, parts.fields, this.notice, parts.text, tools);
    const head = element('div', { className: 'lint-head' }, this.title, this.state, this.repairAll);
    const found = element('section', { className: 'lint-found', ariaLabel: 'Findings' });
    found.append(head, this.failure, this.empty, this.notes, parts.repair, parts.findings);
    const columns = element('div', { className: 'lint-columns' }, input, found, parts.history);
    return element('div', { className: 'lint' }, columns);
  }
}

function emptyView(showExample: () => void): HTMLElement {
  const forms = [
    'a request body, or its contents alone',
    'a cURL command, or a HAR file of the browser',
    'JSON Lines, one request a line',
    'a request or messages of OpenAI',
  ];
  const empty = element('div', { className: 'empty', hidden: true });
  empty.append(
    element('p', {}, 'Paste or drop what you send to the Gemini API:'),
    element('ul', {}, ...forms.map((form) => element('li', {}, form))),
    element('p', {}, 'It stays in this browser. API keys in it are removed.'),
    button('Show an example', showExample),
  );
  return empty;
}
