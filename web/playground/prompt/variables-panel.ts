// Edits the variables: one field a name, or as JSON.
import { variablesOf } from '../engine/chat-settings.js';
import type { PromptDraft } from '../state/playground-document.js';
import type { CodeEditor } from '../../ui/editor/code-editor.js';
import { createJsonEditor } from '../../ui/editor/json-editor.js';
import { button, element } from '../../ui/dom.js';
import type { TemplateReport } from '../engine/prompt-result.js';
import { membersOf, withMember, withoutMember } from './json-members.js';
import type { ChangePrompt } from './prompt-editor.js';
import { readVariables } from '../engine/prompt-sources.js';
import { ownVariables } from '../engine/template-report.js';
import { VariableRow, type FormVariable } from './variable-row.js';

type Mode = 'form' | 'json';

// Sections are counted from 1.
const readerName = (id: string) => id.replace(/\d+$/, (index) => String(Number(index) + 1));

/** The variables of all templates. */
export class VariablesPanel {
  readonly element: HTMLElement;
  readonly #form = element('div', { className: 'variable-form' });
  readonly #json: HTMLElement;
  readonly #editor: CodeEditor;
  readonly #demonstration = element(
    'p',
    { className: 'note', hidden: true },
    'The prompt is blank, so the chat uses the variables of a demonstration.',
  );
  readonly #error = element('p', { className: 'bad', role: 'status' });
  readonly #modes: Record<Mode, HTMLButtonElement>;
  readonly #change: ChangePrompt;
  readonly #rows = new Map<string, VariableRow>();
  #mode: Mode = 'form';
  #text = '';
  #isReadOnly = false;
  #isShowing = false;
  #reports: readonly TemplateReport[] = [];

  constructor(change: ChangePrompt) {
    this.#change = change;
    this.#editor = createJsonEditor({
      label: 'Variables as JSON',
      onChange: () => {
        if (!this.#isShowing) change({ variables: this.#editor.text });
      },
    });
    this.#json = element('div', { className: 'editor-frame' }, this.#editor.element);
    this.#modes = {
      form: button('Form', () => this.#setMode('form')),
      json: button('JSON', () => this.#setMode('json')),
    };
    const modes = element('div', { role: 'group', ariaLabel: 'Show the variables as' });
    modes.append(this.#modes.form, this.#modes.json);
    const head = element('div', { className: 'panel-head' }, element('h2', {}, 'Variables'), modes);
    const text = 'The values that all templates and sections read.';
    const note = element('p', { className: 'note' }, text);
    this.element = element('section', { className: 'panel' }, head, note, this.#demonstration);
    this.element.append(this.#error);
    this.element.append(this.#form, this.#json);
    this.element.ariaLabel = 'Variables';
    this.#setMode('form');
  }

  /** Shows the variables of the document. */
  show(prompt: PromptDraft, isReadOnly: boolean): void {
    const { variables } = prompt;
    const isShown = variables === this.#text && isReadOnly === this.#isReadOnly;
    this.#demonstration.hidden = variablesOf(prompt) === variables;
    this.#text = variables;
    this.#isReadOnly = isReadOnly;
    if (isShown) return;
    this.#editor.setReadOnly(isReadOnly);
    this.#isShowing = true;
    this.#editor.replace(variables);
    this.#isShowing = false;
    this.#showForm();
  }

  /** Shows which templates read which names. */
  showReports(reports: readonly TemplateReport[]): void {
    this.#reports = reports;
    this.#showForm();
  }

  #setMode(mode: Mode): void {
    this.#mode = mode;
    for (const name of ['form', 'json'] as const)
      this.#modes[name].ariaPressed = String(name === mode);
    this.#json.hidden = mode !== 'json';
    this.#showForm();
  }

  #showForm(): void {
    const { error } = readVariables(this.#text);
    this.#error.textContent =
      error === undefined ? '' : `Not used, because it is not valid: ${error}`;
    this.#form.hidden = this.#mode !== 'form' || error !== undefined;
    // The form cannot show an invalid text.
    if (error !== undefined) this.#json.hidden = false;
    else this.#json.hidden = this.#mode !== 'json';
    if (!this.#form.hidden) this.#showRows(this.#variables());
  }

  #variables(): FormVariable[] {
    const values = new Map(membersOf(this.#text).map(({ name, text }) => [name, text]));
    const readers = new Map<string, Set<string>>();
    for (const { id, variables } of this.#reports)
      for (const name of variables)
        if (ownVariables[id] !== name) readers.set(name, (readers.get(name) ?? new Set()).add(id));
    const names = new Set([...values.keys(), ...readers.keys()]);
    return [...names].map((name) => {
      const by = [...(readers.get(name) ?? [])].map(readerName).join(', ');
      return {
        name,
        json: values.get(name),
        readBy: by === '' ? 'no template reads it' : `read by ${by}`,
      };
    });
  }

  #showRows(variables: FormVariable[]): void {
    const names = new Set(variables.map(({ name }) => name));
    for (const [name, row] of this.#rows) {
      if (names.has(name)) continue;
      row.element.remove();
      this.#rows.delete(name);
    }
    for (const variable of variables) this.#rowFor(variable).show(variable, this.#isReadOnly);
    if (variables.length > 0) this.#form.querySelector('.empty')?.remove();
    else
      this.#form.replaceChildren(
        element('p', { className: 'empty' }, 'No template reads a variable, and none is defined.'),
      );
  }

  #rowFor(variable: FormVariable): VariableRow {
    const known = this.#rows.get(variable.name);
    if (known) return known;
    const row = new VariableRow(variable, {
      set: (name, json) => this.#change({ variables: withMember(this.#text, name, json) }),
      remove: (name) =>
        this.#change(
          { variables: withoutMember(this.#text, name) },
          `Removed the variable ${name}`,
        ),
    });
    this.#rows.set(variable.name, row);
    this.#form.append(row.element);
    return row;
  }
}
