// The view Lint: a pasted request, its findings while one types, its repair and its history.
import { removeSecrets } from '../../requests/remove-secrets.js';
import { messageOf } from '../../sdk/internal/messages.js';
import { copyText } from '../../ui/copy.js';
import type { View, ViewContext } from '../app.js';
import type { Analysis, AnalysisOptions, LintFinding } from '../engine/lint-result.js';
import { Checker } from '../engine/checker.js';
import type { LintChoice } from '../engine/lint-choice.js';
import { brokenExample } from '../state/example.js';
import { acceptDrops, chooseFile, downloadText, fileNameOf } from '../engine/files.js';
import { FindingsView } from './findings-view.js';
import { HistoryView } from './history-view.js';
import { keptFindings } from '../engine/kept-findings.js';
import { maxTextLength, shownMarks } from '../engine/limits.js';
import { Notices } from './notices.js';
import { LintPage } from './page.js';
import { Repairs } from './repairs.js';
import { RequestFields } from './request-fields.js';
import { TextBox } from './text-box.js';
import { formWords, summaryOf } from '../engine/words.js';
import './lint.css';

/** Returns what is underlined of a finding: its places, of a whole Content only the first line. */
const marksOf = (finding: LintFinding, text: string): LintFinding[] =>
  [finding, ...finding.places].map(({ from, to }) => {
    const end = text.indexOf('\n', from);
    return { ...finding, from, to: end < 0 || end >= to ? to : Math.max(end, from) };
  });

class LintView implements View {
  readonly element: HTMLElement;
  readonly #context: ViewContext;
  readonly #choice: LintChoice;
  readonly #page = new LintPage({
    open: () => chooseFile((file) => void this.#openFile(file)),
    copy: () => void this.#copy(),
    download: () => this.#download(),
    clear: () => this.#change('', 'Removed the request'),
    chat: () => void this.#continueAsChat(),
    repairAll: () => this.#repairs.showAll(),
    showExample: () => this.#change(brokenExample),
  });
  readonly #notices = new Notices(this.#page.notice);
  readonly #text = new TextBox({
    onChange: () => this.#textChanged(),
    onPaste: () => this.#pasted(),
    onRefused: (length) => this.#notices.refused(length),
  });
  readonly #fields = new RequestFields(
    () => {
      this.#choice.request = this.#fields.request;
      void this.#checker.now();
    },
    () => {
      this.#choice.override = this.#fields.override;
      void this.#checker.now();
    },
  );
  readonly #findings: FindingsView;
  readonly #repairs: Repairs;
  readonly #history = new HistoryView(
    (content) => void this.#text.reveal(content, { focus: false }),
  );
  readonly #checker: Checker;
  #analysis: Analysis | undefined;
  /** The text of the document, as this view knows it. */
  #stored = '';
  /** Whether the first error of the next analysis is scrolled to. */
  #isNew = true;
  /** What the last insertion did, until it is in the document. */
  #undo: string | undefined;
  /** The code of a rule whose finding is shown after the next analysis. */
  #wanted: string | undefined;

  constructor(context: ViewContext) {
    this.#context = context;
    this.#choice = context.lintChoice;
    this.#repairs = new Repairs({
      analysis: () => this.#editable,
      onChange: (text, done) => this.#change(text, done),
      onClosed: () => this.#page.focusFindings(),
      onFailure: (message) => this.#showFailure(message),
    });
    this.#findings = new FindingsView({
      onPlace: (finding) => void this.#text.reveal(finding),
      onRepair: (finding) => this.#repairs.one(finding),
      isReadOnly: () => context.document.isReadOnly,
    });
    this.#checker = new Checker(context.lintWorker, {
      text: () => this.#text.text,
      options: () => this.#options,
      onResult: (analysis, analyzed) => this.#show(analysis, analyzed),
      onFailure: (message) => this.#showFailure(`The text was not linted: ${message}`),
      onBusy: (isBusy) => this.element.classList.toggle('busy', isBusy),
    });
    this.element = this.#page.layOut({
      fields: this.#fields.element,
      text: this.#text.element,
      findings: this.#findings.element,
      repair: this.#repairs.element,
      history: this.#history.element,
    });
    acceptDrops(this.element, (file) => void this.#openFile(file));
    this.#followDocument();
    this.#addActions();
  }

  /** Focuses the text for `text`; otherwise shows the first finding with the code `focus`. */
  shown(focus?: string): void {
    if (focus === 'text') void this.#text.focus();
    else if (focus !== undefined) this.#open(focus);
  }

  hidden(): void {
    if (this.#checker.isPending) void this.#checker.now();
  }

  #followDocument(): void {
    const { document: store } = this.#context;
    store.beforeLeaving(() => this.#settle());
    store.subscribe(({ lint, settings }, previous, cause) => {
      this.#showReadOnly();
      if (cause === 'open') return this.#openText(lint.text);
      if (lint.text !== this.#stored) return this.#replaceText(lint.text);
      const { model, backend } = previous.settings;
      if (settings.model !== model || settings.backend !== backend) this.#checker.soon();
    });
    this.#showReadOnly();
    this.#openText(store.value.lint.text);
  }

  // Stores a text whose analysis has not ended, or has failed. Its credentials are removed on the page later.
  #settle(): void {
    if (this.#text.text !== this.#stored) this.#keep(removeSecrets(this.#text.text).text);
  }

  /** Puts a text without credentials into the document. */
  #keep(text: string): void {
    if (text !== this.#stored) {
      this.#stored = text;
      this.#change(text, this.#undo);
    }
    this.#undo = undefined;
  }

  #showReadOnly(): void {
    const { isReadOnly } = this.#context.document;
    this.#text.setReadOnly(isReadOnly);
    for (const control of [this.#page.open, this.#page.clear, this.#page.chat])
      control.disabled = isReadOnly;
    if (this.#analysis) this.#showRepairable(this.#analysis);
  }

  #openText(text: string): void {
    this.#forget();
    this.#fields.clear();
    this.#choice.override = undefined;
    this.#stored = text;
    this.#text.open(text);
    void this.#checker.now();
  }

  #replaceText(text: string): void {
    this.#forget();
    this.#stored = text;
    this.#text.replace(text);
    void this.#checker.now();
  }

  #forget(): void {
    this.#choice.request = undefined;
    this.#isNew = true;
    this.#analysis = undefined;
    this.#findings.reset();
    this.#notices.clear();
    this.#repairs.hide();
  }

  /** Changes the text of the document, which this view follows. `undo` says what the change did. */
  #change(text: string, undo?: string): void {
    this.#context.document.update(
      (value) => ({ ...value, lint: { ...value.lint, text } }),
      undo === undefined ? {} : { undo },
    );
  }

  /** Shows a text that may hold credentials. It enters the document when they are removed. */
  #insert(text: string, undo: string): void {
    this.#forget();
    this.#undo = undo;
    this.#text.replace(text);
    void this.#checker.now();
  }

  #pasted(): void {
    this.#choice.request = undefined;
    void this.#checker.now();
  }

  #textChanged(): void {
    this.#repairs.hide();
    this.#notices.accepted();
    this.#checker.soon();
  }

  get #options(): AnalysisOptions {
    const { model, backend } = this.#context.document.value.settings;
    return { model, backend, now: new Date().toISOString(), ...this.#choice.options };
  }

  #show(analysis: Analysis, analyzed: string): void {
    this.#page.failure.hidden = true;
    const isCurrent = this.#text.text === analyzed;
    if (isCurrent) this.#store(analysis, analyzed);
    if ((this.#choice.request ?? 0) >= analysis.requests.length) this.#choice.request = undefined;
    const { chosen } = analysis;
    this.#analysis = analysis;
    this.#page.form.textContent = formWords[analysis.form];
    this.#page.empty.hidden = analysis.form !== 'empty';
    this.#fields.show(analysis, chosen);
    const hadFocus = this.#findings.element.contains(document.activeElement);
    this.#findings.show(analysis, chosen);
    if (hadFocus) this.#page.title.focus();
    this.#history.show(analysis.timeline);
    this.#showMarks(analysis, isCurrent);
    this.#showSummary(analysis);
    this.#showRepairable(analysis);
    if (this.#wanted !== undefined) this.#open(this.#wanted);
    void this.#text.load();
    if (this.#isNew) this.#showFirst(analysis);
    this.#isNew = false;
  }

  // Does not move the cursor of a user who is already typing.
  #showFirst({ findings }: Analysis): void {
    const first = findings.find(({ severity }) => severity === 'error');
    if (first && !this.#text.hasFocus)
      void this.#text.reveal({ from: first.from, to: first.from }, { focus: false });
  }

  /** Stores the analyzed text, which has no credentials, and removes them from the page. */
  #store({ text, removedSecrets }: Analysis, analyzed: string): void {
    if (text !== analyzed) this.#text.replace(text, { isUndoable: false });
    if (removedSecrets > 0) this.#notices.removed(removedSecrets);
    this.#keep(text);
  }

  #showMarks({ findings, chosen, text }: Analysis, isCurrent: boolean): void {
    const marked = keptFindings(findings, chosen, shownMarks);
    this.#notices.marked(marked.length, findings.length);
    this.#notices.sized(text.length);
    // The marks of a text that has changed since move with it, until the next analysis.
    if (isCurrent) this.#text.setMarks(marked.flatMap((finding) => marksOf(finding, text)));
  }

  #showSummary({ form, notes, requests, chosen, converted }: Analysis): void {
    const counts = requests[chosen] ?? { errors: 0, warnings: 0, notes: 0 };
    const text = form === 'empty' ? 'Nothing to lint yet' : summaryOf(counts);
    if (this.#page.state.textContent !== text) this.#page.state.textContent = text;
    const convert = () => this.#change(converted ?? '', 'Converted the messages');
    this.#page.showNotes(
      notes.map(({ message }) => message),
      converted === undefined || this.#context.document.isReadOnly ? undefined : convert,
    );
  }

  #showRepairable({ repairs }: Analysis): void {
    this.#page.repairAll.hidden = repairs.length === 0;
    this.#page.repairAll.disabled = this.#context.document.isReadOnly;
  }

  #showFailure(message: string): void {
    this.#page.failure.textContent = message;
    this.#page.failure.hidden = false;
  }

  /** Shows the first finding with this code, now or after the next analysis. */
  #open(code: string): void {
    const found = this.#findings.open(code, this.#analysis?.findings ?? []);
    this.#wanted = found ? undefined : code;
    if (found && this.#analysis && found.request !== this.#analysis.chosen) {
      this.#choice.request = found.request;
      void this.#checker.now();
    }
    if (found) void this.#text.reveal(found, { focus: false });
  }

  /** The analysis of the newest text, if the text may be changed. */
  get #editable(): Analysis | undefined {
    const analysis = this.#analysis;
    const isNewest = analysis !== undefined && this.#text.text === analysis.text;
    return isNewest && !this.#context.document.isReadOnly ? analysis : undefined;
  }

  async #openFile(file: File): Promise<void> {
    if (this.#context.document.isReadOnly) return;
    if (file.size > maxTextLength) return this.#notices.refused(file.size);
    try {
      this.#insert(await file.text(), `Opened ${file.name}`);
    } catch (error) {
      this.#showFailure(messageOf(error));
    }
  }

  async #copy(): Promise<void> {
    await copyText(this.#text.text, (text) => this.#notices.copied(text));
  }

  async #continueAsChat(): Promise<void> {
    const analysis = this.#analysis;
    const request = analysis?.requests[analysis.chosen];
    if (!analysis?.body || !request || this.#context.document.isReadOnly) return;
    const { document: store, core, open } = this.#context;
    try {
      const { model, backend } = request;
      const { chatOf } = await import('./continue-as-chat.js');
      const { change, leftOut } = await chatOf(core, analysis.body, { model, backend });
      const rest = leftOut.length > 0 ? `. Left out: ${leftOut.join(', ')}` : '';
      store.update(change, { undo: `Replaced the chat${rest}` });
      open('chat');
    } catch (error) {
      this.#showFailure(`A chat cannot continue this request. ${messageOf(error)}`);
    }
  }

  #addActions(): void {
    const { actions, document: store } = this.#context;
    const view = 'lint' as const;
    const canEdit = () => !store.isReadOnly;
    const canRepair = () => canEdit() && !this.#page.repairAll.hidden;
    const hasHistory = () => this.#analysis?.timeline?.firstRefused !== undefined;
    actions.add(
      { name: 'Edit the request', view, run: () => void this.#text.focus() },
      {
        name: 'Repair all findings',
        view,
        isPossible: canRepair,
        run: () => this.#repairs.showAll(),
      },
      { name: 'Open a file', view, isPossible: canEdit, run: () => this.#page.open.click() },
      { name: 'Copy the request', view, run: () => void this.#copy() },
      { name: 'Download the request', view, run: () => this.#download() },
      { name: 'Clear the request', view, isPossible: canEdit, run: () => this.#page.clear.click() },
      {
        name: 'Continue the request as chat',
        view,
        isPossible: canEdit,
        run: () => void this.#continueAsChat(),
      },
      {
        name: 'Show where the history is refused first',
        view,
        isPossible: hasHistory,
        run: () => this.#history.showFirstRefused(),
      },
    );
  }

  #download(): void {
    downloadText(this.#text.text, fileNameOf(this.#analysis?.form ?? 'body'));
  }
}

/** Creates the view. */
export function createLintView(context: ViewContext): View {
  return new LintView(context);
}
