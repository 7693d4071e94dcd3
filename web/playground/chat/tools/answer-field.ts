// Lets the user write the result of a call: JSON that is checked while it is typed, or a text.
import type { Json } from '../../../index.js';
import { messageOf } from '../../../sdk/internal/messages.js';
import { button, element } from '../../../ui/dom.js';

let fields = 0;

/** A field for a result, with buttons that send it as a result or as an error. */
export class AnswerField {
  readonly root: HTMLElement;
  readonly #text = element('textarea', { rows: 3, spellcheck: false });
  readonly #isJson = element('input', { type: 'checkbox', checked: true });
  readonly #problem = element('p', { className: 'problem', role: 'status' });
  readonly #onResult: (result: Json) => void;
  readonly #onError: (message: string) => void;

  constructor(name: string, onResult: (result: Json) => void, onError: (message: string) => void) {
    this.#onResult = onResult;
    this.#onError = onError;
    this.#text.id = `answer-${++fields}`;
    this.#problem.id = `${this.#text.id}-problem`;
    this.#text.setAttribute('aria-describedby', this.#problem.id);
    this.#text.placeholder = '{ "key": "value" }';
    this.#text.oninput = () => this.#check();
    this.#isJson.onchange = () => this.#check();
    const label = element('label', { htmlFor: this.#text.id }, `Result of ${name}`);
    const isJson = element('label', { className: 'switch' }, this.#isJson, ' JSON');
    const actions = element('div', { className: 'actions' }, isJson);
    actions.append(
      button('Send this result', () => this.#send()),
      button('Send it as an error', () => this.#onError(this.#text.value)),
    );
    this.root = element('div', { className: 'fields' }, label, this.#text, this.#problem, actions);
  }

  focus(): void {
    this.#text.focus();
  }

  #send(): void {
    const result = this.#check(true);
    if (result === undefined) return this.#text.focus();
    this.#onResult(result);
  }

  // Returns the result; undefined if the text is not valid. An empty text is a problem only when it is sent.
  #check(isSent = false): Json | undefined {
    const { value } = this.#text;
    if (!this.#isJson.checked) return this.#show(undefined, value);
    if (value.trim() === '')
      return this.#show(
        isSent ? 'Write the result as JSON, or clear “JSON” to send text.' : undefined,
      );
    try {
      return this.#show(undefined, JSON.parse(value) as Json);
    } catch (error) {
      return this.#show(`Not JSON: ${messageOf(error)}`);
    }
  }

  #show(problem: string | undefined, result?: Json): Json | undefined {
    this.#problem.textContent = problem ?? '';
    this.#text.ariaInvalid = String(problem !== undefined);
    return result;
  }
}
