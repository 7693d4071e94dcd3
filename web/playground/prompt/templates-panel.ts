// Edits the static and the dynamic template.
import type { PromptDraft } from '../state/playground-document.js';
import { button, element } from '../../ui/dom.js';
import type { TemplateReport } from '../engine/prompt-result.js';
import { withCode } from './change-view.js';
import { defaultTemplates } from '../engine/default-templates.js';
import type { ChangePrompt } from './prompt-editor.js';
import type { Variables } from '../engine/prompt-sources.js';
import { TemplateField } from './template-field.js';

type LayerId = keyof typeof defaultTemplates;

const explanations: Record<LayerId, string> = {
  static: 'What is the same in every request: role, rules, documents.',
  dynamic:
    'What changes with each request, as JSON: the time, the state of a task. The core knows `current_datetime`.',
};

/** A template of one layer, which may be the package's own. */
export class LayerTemplatePanel {
  readonly element: HTMLElement;
  readonly #layer: LayerId;
  readonly #field: TemplateField;
  readonly #fill: HTMLButtonElement;
  readonly #reset: HTMLButtonElement;

  constructor(layer: LayerId, change: ChangePrompt, variables: () => Variables) {
    this.#layer = layer;
    const title = layer === 'static' ? 'Static template' : 'Dynamic template';
    this.#field = new TemplateField({
      label: title,
      placeholder: 'Empty: the package’s own template is used.',
      variables,
      onChange: (text) => change({ [layer]: text }),
    });
    const own = `the package’s own ${layer} template`;
    this.#fill = button('Edit the package’s own', () => {
      change({ [layer]: defaultTemplates[layer] });
      this.#field.focus();
    });
    this.#fill.ariaLabel = `Edit ${own}`;
    this.#reset = button('Use the package’s own', () => {
      change({ [layer]: '' }, `Removed the ${layer} template`);
    });
    this.#reset.ariaLabel = `Use ${own}`;
    const heading = element('h2', { className: layer }, element('i', {}), title);
    const head = element('div', { className: 'panel-head' }, heading, this.#fill, this.#reset);
    const note = element('p', { className: 'note' }, ...withCode(explanations[layer]));
    this.element = element('section', { className: 'panel' }, head, note, this.#field.element);
    this.element.ariaLabel = title;
  }

  /** Shows the template of the document. */
  show(prompt: PromptDraft, isReadOnly: boolean): void {
    const text = prompt[this.#layer];
    this.#field.show(text, isReadOnly);
    this.#fill.hidden = text !== '';
    this.#reset.hidden = text === '';
    this.#fill.disabled = this.#reset.disabled = isReadOnly;
  }

  /** Shows what was found in `prompt`. */
  showReports(prompt: PromptDraft, reports: readonly TemplateReport[]): void {
    const report = reports.find(({ id }) => id === this.#layer);
    if (report) this.#field.showProblems(prompt[this.#layer], report.problems);
  }

  focus(): void {
    this.#field.focus();
  }
}
