// Lets the user edit all tools as JSON: the functionDeclarations of a request.
import { messageOf } from '../../../sdk/internal/messages.js';
import type { ToolDraft } from '../../state/playground-document.js';
import { button, element } from '../../../ui/dom.js';
import { declarationsText, draftsFrom } from '../../engine/declaration.js';

const note =
  'An array of functionDeclarations. Tools that keep their name keep their script. A request with tools works, too.';

/** A field with the declarations, and buttons to apply or cancel. */
export class DeclarationsField {
  readonly root: HTMLElement;
  readonly #text = element('textarea', { id: 'tools-json', rows: 14, spellcheck: false });
  readonly #problem = element('p', { className: 'problem', role: 'status' });
  readonly #tools: readonly ToolDraft[];
  readonly #onEnd: (tools: ToolDraft[] | undefined) => void;

  /** `onEnd` is called with the tools; undefined if the user cancels. */
  constructor(tools: readonly ToolDraft[], onEnd: (tools: ToolDraft[] | undefined) => void) {
    this.#tools = tools;
    this.#onEnd = onEnd;
    this.#text.value = declarationsText(tools);
    const label = element('label', { htmlFor: this.#text.id }, 'Declarations');
    const actions = element('div', { className: 'actions' });
    actions.append(
      button('Apply', () => this.#apply()),
      button('Cancel', () => onEnd(undefined)),
    );
    const about = element('p', { className: 'note' }, note);
    this.root = element('div', { className: 'fields' }, label, this.#text, about);
    this.root.append(this.#problem, actions);
  }

  focus(): void {
    this.#text.focus();
  }

  #apply(): void {
    let tools: ToolDraft[];
    try {
      tools = draftsFrom(this.#text.value, this.#tools);
    } catch (error) {
      this.#problem.textContent = messageOf(error);
      this.#text.ariaInvalid = 'true';
      this.#text.focus();
      return;
    }
    this.#onEnd(tools);
  }
}
