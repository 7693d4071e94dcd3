// Edits the sections of the prompt: named templates in front of the static layer.
import type { PromptDraft, SectionDraft } from '../state/playground-document.js';
import { button, element } from '../../ui/dom.js';
import type { TemplateReport } from '../engine/prompt-result.js';
import type { ChangePrompt } from './prompt-editor.js';
import type { Variables } from '../engine/prompt-sources.js';
import { TemplateField } from './template-field.js';

/** The fields of one section. */
interface SectionFields {
  element: HTMLElement;
  name: HTMLInputElement;
  template: TemplateField;
  remove: HTMLButtonElement;
}

/** The list of sections. */
export class SectionsPanel {
  readonly element: HTMLElement;
  readonly #list = element('div', { className: 'sections' });
  readonly #add = button('Add a section', () => this.#addSection());
  readonly #change: ChangePrompt;
  readonly #variables: () => Variables;
  #sections: SectionDraft[] = [];
  #fields: SectionFields[] = [];

  constructor(change: ChangePrompt, variables: () => Variables) {
    this.#change = change;
    this.#variables = variables;
    const heading = element('h2', { className: 'static' }, element('i', {}), 'Sections');
    const head = element('div', { className: 'panel-head' }, heading, this.#add);
    const text =
      'Named parts in front of the static template. Each gets its name as a heading and a fingerprint of its own, so that a change can be found.';
    const note = element('p', { className: 'note' }, text);
    this.element = element('section', { className: 'panel' }, head, note, this.#list);
    this.element.ariaLabel = 'Sections';
  }

  /** Shows the sections of the document. */
  show({ sections }: PromptDraft, isReadOnly: boolean): void {
    this.#sections = sections;
    while (this.#fields.length > sections.length) this.#removeLast();
    while (this.#fields.length < sections.length) this.#appendFields();
    this.#add.disabled = isReadOnly;
    this.#fields.forEach(({ name, template, remove }, index) => {
      const section = sections[index];
      if (!section) return;
      if (name.value !== section.name) name.value = section.name;
      name.readOnly = isReadOnly;
      remove.disabled = isReadOnly;
      template.show(section.template, isReadOnly);
      template.measure();
    });
  }

  /** Shows what was found in `prompt`. */
  showReports({ sections }: PromptDraft, reports: readonly TemplateReport[]): void {
    sections.forEach(({ template }, index) => {
      const report = reports.find(({ id }) => id === `section ${index}`);
      if (report) this.#fields[index]?.template.showProblems(template, report.problems);
    });
  }

  #addSection(): void {
    const names = new Set(this.#sections.map(({ name }) => name));
    let number = this.#sections.length + 1;
    while (names.has(`section_${number}`)) number++;
    const added = { name: `section_${number}`, template: '' };
    this.#change({ sections: [...this.#sections, added] });
    this.#fields.at(-1)?.name.select();
  }

  #edit(index: number, change: Partial<SectionDraft>): void {
    const sections = this.#sections.map((section, at) =>
      at === index ? { ...section, ...change } : section,
    );
    this.#change({ sections });
  }

  #remove(index: number): void {
    const sections = this.#sections.filter((_section, at) => at !== index);
    this.#change({ sections }, 'Removed the section');
    this.#add.focus();
  }

  #appendFields(): void {
    const index = this.#fields.length;
    const label = `Section ${index + 1}`;
    const name = element('input', { ariaLabel: `Name of section ${index + 1}`, spellcheck: false });
    name.oninput = () => this.#edit(index, { name: name.value });
    const remove = button('Remove', () => this.#remove(index));
    remove.ariaLabel = `Remove section ${index + 1}`;
    const template = new TemplateField({
      label: `Template of section ${index + 1}`,
      placeholder: 'The text of the section, a template.',
      variables: this.#variables,
      onChange: (text) => this.#edit(index, { template: text }),
    });
    const head = element('div', { className: 'panel-head' }, name, remove);
    const group = element('div', { role: 'group', ariaLabel: label }, head, template.element);
    this.#list.append(group);
    this.#fields.push({ element: group, name, template, remove });
  }

  #removeLast(): void {
    const last = this.#fields.pop();
    last?.template.destroy();
    last?.element.remove();
  }
}
