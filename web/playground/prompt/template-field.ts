// Edits one template: highlighted, completed, with its problems in the text and as a list.
import { CodeEditor } from '../../ui/editor/code-editor.js';
import { textPlaces } from '../../ui/editor/positions.js';
import { button, element } from '../../ui/dom.js';
import { severityMark } from '../engine/words.js';
import type { TemplateProblem } from '../engine/prompt-result.js';
import { jinjaCompletion } from './jinja-completion.js';
import { jinja } from './jinja-language.js';
import type { Variables } from '../engine/prompt-sources.js';

export interface TemplateFieldOptions {
  /** The accessible name of the editor. */
  label: string;
  placeholder: string;
  variables: () => Variables;
  onChange: (text: string) => void;
}

/** The editor of one template. */
export class TemplateField {
  readonly #editor: CodeEditor;
  readonly #problems = element('ul', { className: 'template-problems' });
  readonly element: HTMLElement;
  /** Whether a change comes from the document, not from the user. */
  #isShowing = false;

  constructor({ label, placeholder, variables, onChange }: TemplateFieldOptions) {
    this.#editor = new CodeEditor({
      label,
      placeholder,
      extensions: [jinja, jinjaCompletion(variables)],
      onChange: () => {
        if (!this.#isShowing) onChange(this.#editor.text);
      },
    });
    this.#problems.ariaLabel = `Problems of: ${label}`;
    this.#problems.hidden = true;
    const frame = element('div', { className: 'editor-frame' }, this.#editor.element);
    this.element = element('div', { className: 'template-field' }, frame, this.#problems);
  }

  /** Shows a text of the document. */
  show(text: string, isReadOnly: boolean): void {
    this.#editor.setReadOnly(isReadOnly);
    if (text === this.#editor.text) return;
    this.#isShowing = true;
    this.#editor.replace(text);
    this.#isShowing = false;
  }

  /** Measures the lines again, for example after the view was hidden. */
  measure(): void {
    this.#editor.view.requestMeasure();
  }

  /** Marks the problems of `source`, unless the text has changed since. */
  showProblems(source: string, problems: readonly TemplateProblem[]): void {
    if (source !== this.#editor.text) return;
    this.#editor.setMarks(problems);
    this.#problems.hidden = problems.length === 0;
    const sorted = [...problems].sort((one, other) => one.from - other.from);
    const places = textPlaces(
      source,
      sorted.map(({ from }) => from),
    );
    this.#problems.replaceChildren(
      ...sorted.map((problem, index) => this.#item(problem, places[index]?.line ?? 1)),
    );
  }

  focus(): void {
    this.#editor.focus();
  }

  /** Ends the editor. */
  destroy(): void {
    this.#editor.destroy();
    this.element.remove();
  }

  #item(problem: TemplateProblem, line: number): HTMLElement {
    const go = button(`Line ${line}`, () => this.#editor.reveal(problem));
    const { severity, message } = problem;
    return element(
      'li',
      { className: severity },
      go,
      element('span', {}, ...severityMark(severity), message),
    );
  }
}
