// Declares the tools of the document: one form for each, or all of them as JSON.
import type { CoreHolder } from '../../engine/core-holder.js';
import type { DocumentStore } from '../../state/document-store.js';
import type { ToolDraft } from '../../state/playground-document.js';
import { button, count, element } from '../../../ui/dom.js';
import { checkTools } from './check-tools.js';
import { demonstrationTools } from './demonstration.js';
import { DeclarationsField } from './declarations-field.js';
import { ToolFields } from './tool-fields.js';
import './tools.css';

const checkDelayMs = 300;
// Each form has some twenty elements. A shared link may declare thousands of tools.
const maxForms = 100;
const newTool: ToolDraft = {
  name: '',
  description: '',
  parameters: JSON.stringify(
    { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    null,
    2,
  ),
  answer: 'hand',
  script: '',
};

const demonstrationNote =
  'Without tools of your own, the chat declares two that return invented data. ';
const note =
  'Calls of your tools wait for you: you answer them by hand, or run their script with a click.';

const titleOf = ({ length }: readonly ToolDraft[]) =>
  length === 0 ? 'Tools' : `Tools: ${count(length)}`;

/** The tools, inside a section that can be folded. */
export class ToolForm {
  readonly element = element('details', { id: 'tools', className: 'group tool-form' });
  readonly #document: DocumentStore;
  readonly #core: CoreHolder;
  readonly #summary = element('summary');
  readonly #place = element('div', { className: 'fields' });
  readonly #add = button('Add a tool', () => {
    this.#update([...this.#tools, newTool]);
    this.#fields.at(-1)?.focus();
  });
  readonly #edit = button('Edit as JSON', () => this.#editAsJson());
  readonly #rest = element('p', { className: 'note' });
  /** What the fields show. */
  #shown: readonly ToolDraft[] = [];
  #fields: ToolFields[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(document: DocumentStore, core: CoreHolder) {
    this.#document = document;
    this.#core = core;
    this.element.append(this.#summary, this.#place);
    this.element.ontoggle = () => this.#checkLater();
    document.subscribe((value, previous) => {
      const { settings } = value;
      if (settings.tools !== this.#shown) this.#show();
      else if (settings !== previous.settings) this.#checkLater();
    });
    this.#show();
  }

  get #tools(): ToolDraft[] {
    return this.#document.value.settings.tools;
  }

  // Changes the tools. The fields are drawn again unless they made the change themselves.
  #update(
    tools: ToolDraft[],
    { undo, isDrawn = false }: { undo?: string; isDrawn?: boolean } = {},
  ) {
    if (isDrawn) this.#shown = tools;
    this.#document.update(
      (value) => ({ ...value, settings: { ...value.settings, tools } }),
      undo === undefined ? {} : { undo },
    );
    this.#summary.textContent = titleOf(tools);
    this.#checkLater();
  }

  #show(): void {
    const tools = this.#tools;
    const { isReadOnly } = this.#document;
    const open = this.#fields.map(({ root }) => root.open);
    this.#shown = tools;
    this.#summary.textContent = titleOf(tools);
    this.#fields = tools
      .slice(0, maxForms)
      .map((tool, index) => this.#fieldsOf(tool, index, isReadOnly));
    for (const [index, { root }] of this.#fields.entries()) root.open = open[index] ?? false;
    const list = this.#fields.map(({ root }) => root);
    const { demonstration = true } = this.#document.value.settings;
    const about = element('p', { className: 'note' }, demonstration ? demonstrationNote : '', note);
    this.#place.replaceChildren(about, ...list, this.#rest, this.#buttons(isReadOnly));
    this.#checkLater();
  }

  #fieldsOf(tool: ToolDraft, index: number, isReadOnly: boolean): ToolFields {
    const actions = {
      change: (changes: Partial<ToolDraft>) => {
        const changed = { ...(this.#tools[index] ?? newTool), ...changes };
        this.#update(this.#tools.with(index, changed), { isDrawn: true });
      },
      remove: () => {
        this.#update(this.#tools.toSpliced(index, 1), {
          undo: `Removed the tool ${this.#tools[index]?.name ?? ''}`.trim(),
        });
        (this.#fields[index] ?? this.#fields.at(-1) ?? this.#add).focus();
      },
    };
    return new ToolFields(tool, index, actions, isReadOnly);
  }

  #buttons(isReadOnly: boolean): HTMLElement {
    const missing = demonstrationTools.filter(
      (tool) => !this.#tools.some(({ name }) => name === tool.name),
    );
    const { length } = this.#tools;
    const room = maxForms - length;
    this.#rest.textContent =
      room > 0
        ? ''
        : `The first ${maxForms} of ${count(length)} tools have a form. Edit the others, and add more, as JSON.`;
    this.#rest.hidden = room > 0;
    const buttons = room > 0 ? [this.#add, this.#edit] : [this.#edit];
    if (missing.length > 0 && missing.length <= room)
      buttons.push(
        button('Add the demonstration tools', () => {
          this.#update([...this.#tools, ...missing]);
          (this.#fields[length] ?? this.#add).focus();
        }),
      );
    for (const one of buttons) one.disabled = isReadOnly;
    return element('div', { className: 'actions' }, ...buttons);
  }

  #editAsJson(): void {
    const field = new DeclarationsField(this.#tools, (tools) => {
      if (tools) this.#update(tools, { undo: 'Replaced the tools' });
      this.#show();
      this.#edit.focus();
    });
    this.#place.replaceChildren(field.root);
    field.focus();
  }

  // Loads the core only while the tools are shown.
  #checkLater(): void {
    clearTimeout(this.#timer);
    if (this.element.open && this.#tools.length > 0)
      this.#timer = setTimeout(() => void this.#check(), checkDelayMs);
  }

  async #check(): Promise<void> {
    const checker = await this.#core.checker().catch(() => undefined);
    if (!checker) return;
    const reports = checkTools(checker, this.#document.value.settings);
    for (const [index, report] of reports.entries()) this.#fields[index]?.report(report);
  }
}
