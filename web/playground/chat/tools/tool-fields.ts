// Shows the fields of one tool, and what is wrong with it.
import type { ToolDraft } from '../../state/playground-document.js';
import { button, element } from '../../../ui/dom.js';
import { severityMark } from '../../engine/words.js';
import type { ToolReport } from './check-tools.js';

const answers: Record<ToolDraft['answer'], string> = {
  hand: 'by hand',
  script: 'by the script, after a click',
};

/** What a tool's fields call. */
export interface ToolActions {
  change: (changes: Partial<ToolDraft>) => void;
  remove: () => void;
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const scriptNote =
  'The body of an async JavaScript function of args and name, such as: return { city: args.city, celsius: 18 };';

/** The fields of one tool. */
export class ToolFields {
  readonly root: HTMLDetailsElement;
  readonly #id: string;
  readonly #actions: ToolActions;
  readonly #summary = element('summary');
  /** Shown for tools that a script answers. */
  readonly #script = element('div', { className: 'fields' });
  readonly #problems = element('ul', { className: 'problems', role: 'status' });
  readonly #fields: Field[] = [];

  constructor(tool: ToolDraft, index: number, actions: ToolActions, isReadOnly: boolean) {
    this.#id = `tool-${index + 1}`;
    this.#actions = actions;
    this.#summary.textContent = tool.name || 'New tool';
    this.root = element('details', { className: 'one' }, this.#summary);
    this.root.append(
      ...this.#text('Name', 'name', tool.name, 0),
      ...this.#text('Description', 'description', tool.description, 2),
      ...this.#text('Parameters, as JSON Schema', 'parameters', tool.parameters, 6),
      ...this.#answer(tool.answer),
      this.#script,
      this.#problems,
    );
    this.#script.append(
      ...this.#text('Script', 'script', tool.script, 5),
      element('p', { className: 'note' }, scriptNote),
    );
    this.#script.hidden = tool.answer !== 'script';
    const remove = button('Remove', actions.remove);
    remove.ariaLabel = `Remove the tool ${tool.name || 'without a name'}`;
    this.root.append(element('div', { className: 'actions' }, remove));
    for (const field of [...this.#fields, remove]) field.disabled = isReadOnly;
  }

  /** Shows what was found, with a button if it can be repaired. */
  report({ problems, repaired }: ToolReport): void {
    const items = problems.map(({ severity, text }) =>
      element('li', { className: `problem ${severity}` }, ...severityMark(severity), text),
    );
    if (repaired !== undefined) {
      const apply = button('Repair the parameters', () => {
        this.#field('parameters').value = repaired;
        this.#actions.change({ parameters: repaired });
      });
      items.push(element('li', {}, apply));
    }
    this.#problems.replaceChildren(...items);
    for (const name of ['name', 'description', 'parameters'] as const)
      this.#field(name).ariaInvalid = String(problems.some(({ field }) => field === name));
  }

  focus(): void {
    this.root.open = true;
    this.#field('name').focus();
  }

  #field(name: keyof ToolDraft): Field {
    const found = this.#fields.find(({ id }) => id === `${this.#id}-${name}`);
    if (!found) throw new TypeError(`a tool has no field ${name}`);
    return found;
  }

  #text(title: string, name: keyof ToolDraft, value: string, rows: number): HTMLElement[] {
    const field =
      rows === 0
        ? element('input', { autocomplete: 'off', spellcheck: false })
        : element('textarea', { rows, spellcheck: name === 'description' });
    field.value = value;
    field.oninput = () => {
      this.#actions.change({ [name]: field.value });
      if (name === 'name') this.#summary.textContent = field.value || 'New tool';
    };
    return this.#labeled(title, name, field);
  }

  #answer(value: ToolDraft['answer']): HTMLElement[] {
    const options = Object.entries(answers).map(([key, text]) =>
      element('option', { value: key }, text),
    );
    const field = element('select', {}, ...options);
    field.value = value;
    field.onchange = () => {
      const answer = field.value === 'script' ? 'script' : 'hand';
      this.#script.hidden = answer !== 'script';
      this.#actions.change({ answer });
    };
    return this.#labeled('Answer calls', 'answer', field);
  }

  #labeled(title: string, name: keyof ToolDraft, field: Field): HTMLElement[] {
    field.id = `${this.#id}-${name}`;
    this.#fields.push(field);
    return [element('label', { htmlFor: field.id }, title), field];
  }
}
