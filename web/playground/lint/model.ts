// The state of the view Lint: the text, what is known about it, and what was repaired in it.
import { signal } from '@preact/signals';
import { removeSecrets } from '../../requests/remove-secrets.js';
import { messageOf } from '../../sdk/internal/messages.js';
import { differenceOf, linesOf, maxHighlighted } from '../../ui/editor/text.js';
import { amount } from '../../ui/format.js';
import type { ViewContext } from '../app.js';
import {
  keptFindings,
  maxTextLength,
  restMs,
  shownMarks,
  type Analysis,
  type LintFinding,
  type MadeRepair,
  type TextRepair,
} from '../engine/lint-result.js';
import { edited, followRepairs, madeRepairs, repairedText } from '../engine/text-repairs.js';
import { sizeWords } from '../engine/lint-verdict.js';
import { WorkerClient } from '../engine/workers.js';
import { brokenExample } from '../state/playground-document.js';
import { TextBox } from './text-box.js';

/** What the page says about the text, one line of each kind: what was removed, refused or is not shown. */
type Notices = Partial<Record<'secrets' | 'size' | 'long' | 'marks', string>>;

const worker = () =>
  new Worker(new URL('../engine/lint-worker.ts', import.meta.url), {
    type: 'module',
    name: 'lint',
  });

/** The state, and what can be done with it. */
export class LintModel {
  readonly context: ViewContext;
  readonly analysis = signal<Analysis>();
  readonly isBusy = signal(false);
  readonly failure = signal('');
  readonly made = signal<readonly MadeRepair[]>([]);
  /** The rule whose finding is shown, now or after the next analysis. */
  readonly wanted = signal<string>();
  readonly notices = signal<Notices>({});
  readonly text: TextBox;
  /** Called after a repair, when what had the focus may be gone. */
  focusVerdict: () => void = () => {};
  readonly #engine = new WorkerClient<'lint'>({
    start: worker,
    limitMs: 20_000,
    slow: 'The text takes too long to check.',
  });
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Counts the analyses, of which only the newest is shown. */
  #newest = 0;
  /** The request that the user chose; undefined for the first with an error. */
  #request: number | undefined;
  /** The text of the document, as this view knows it. */
  #stored = '';
  /** What replaced the stored text, as the label of Undo. */
  #replacedBy: string | undefined;
  /** The text in which the repairs stand. */
  #repaired = '';
  /** Whether the first error of the next analysis is scrolled to. */
  #isNew = true;

  constructor(context: ViewContext) {
    this.context = context;
    this.text = new TextBox({
      onChange: () => this.#typed(),
      onPaste: (pasted) => this.#pasted(pasted),
      onRefused: (length) => this.#refused(length),
    });
    this.#followDocument();
  }

  /** Whether the text is the example of the first visit, which any paste replaces. */
  get isExample(): boolean {
    return this.analysis.value?.text === brokenExample;
  }

  /** The lines of offsets in the analyzed text. */
  linesOf(offsets: readonly number[]): number[] {
    return linesOf(this.analysis.value?.text ?? '', offsets);
  }

  /** Analyzes what was not analyzed yet. */
  settleAnalysis(): void {
    if (this.#timer !== undefined) void this.#check();
  }

  /** Shows another request of the text. */
  choose(request: number): void {
    this.#request = request;
    void this.#check();
  }

  /** Makes repairs of the newest text. */
  repair(chosen: (analysis: Analysis) => readonly TextRepair[]): void {
    const analysis = this.analysis.peek();
    if (!analysis || this.text.text !== analysis.text)
      return void (this.failure.value = 'The text has just changed. Try again in a moment.');
    const repairs = chosen(analysis);
    const [first, ...others] = repairs;
    if (!first) return;
    const made = madeRepairs(analysis.text, repairs);
    const edits = repairs.flatMap((one) => one.edits);
    const text = repairedText(analysis.text, repairs);
    this.#change(text, [...followRepairs(this.made.peek(), edits), ...made]);
    this.text.scrollTo(made[0]?.inverse[0]?.from ?? 0);
    const several = `Made ${amount(repairs.length, 'repair')}`;
    this.context.page.announce(`${others.length > 0 ? several : first.words.done}.`);
  }

  /** Makes the repairs of some findings. */
  repairFindings(findings: readonly LintFinding[]): void {
    const indexes = new Set(findings.map(({ repair }) => repair));
    this.repair(({ repairs }) => repairs.filter((_, index) => indexes.has(index)));
  }

  /** Takes repairs back, and leaves everything else. */
  undo(repairs: readonly MadeRepair[]): void {
    const inverse = repairs.flatMap((one) => one.inverse);
    const others = this.made.peek().filter((one) => !repairs.includes(one));
    this.#change(edited(this.text.text, inverse), followRepairs(others, inverse));
  }

  /** Replaces the whole text. `what` is the label of Undo: "Pasted the request". */
  replace(text: string, what: string): void {
    if (text.length > maxTextLength) return this.#refused(text.length);
    this.#settle();
    this.#forget();
    this.#replacedBy = what;
    this.text.replace(text);
    void this.#check();
  }

  /** Opens a file that the user chose. */
  readonly openFile = (file: File): void => {
    if (file.size > maxTextLength) return this.#refused(file.size);
    file.text().then(
      (text) => this.replace(text, `Opened ${file.name}`),
      (error: unknown) => (this.failure.value = messageOf(error)),
    );
  };

  /** Continues the request as a chat. */
  async tryInChat(): Promise<void> {
    const analysis = this.analysis.peek();
    const request = analysis?.requests[analysis.chosen];
    if (!analysis?.body || !request) return;
    const { document: store, core, open } = this.context;
    const { model, backend } = request;
    try {
      const { chatOf } = await import('./continue-as-chat.js');
      const { change, leftOut } = await chatOf(core, analysis.body, { model, backend });
      const rest = leftOut.length > 0 ? `. Left out: ${leftOut.join(', ')}` : '';
      store.update(change, `Replaced the chat${rest}`);
      open('chat', 'message');
    } catch (error) {
      this.failure.value = `A chat cannot continue this request. ${messageOf(error)}`;
    }
  }

  /** Makes all repairs, and continues the request as a chat. */
  async repairAndTry(): Promise<void> {
    this.repair(({ repairs }) => repairs);
    await this.#check();
    await this.tryInChat();
  }

  /** Shows the finding of the wanted rule: of its own request, and in the editor. */
  showWanted(found: LintFinding): void {
    this.wanted.value = undefined;
    if (found.request !== this.analysis.peek()?.chosen) this.choose(found.request);
    this.text.scrollTo(found.from);
  }

  #followDocument(): void {
    const { document: store } = this.context;
    store.beforeLeaving(() => this.#settle());
    store.subscribe(({ lint, settings }, previous, cause) => {
      if (cause === 'open') return this.#open(lint.text);
      if (lint.text !== this.#stored) {
        this.#forget();
        this.#stored = lint.text;
        this.text.replace(lint.text);
        return void this.#check();
      }
      const { model, backend } = previous.settings;
      if (settings.model !== model || settings.backend !== backend) this.#checkSoon();
    });
    this.#open(store.value.lint.text);
  }

  // Stores a text whose analysis has not ended, or has failed. Its credentials are removed on the page later.
  #settle(): void {
    if (this.text.text !== this.#stored) this.#keep(removeSecrets(this.text.text).text);
  }

  /** Puts a text without credentials into the document. */
  #keep(text: string): void {
    const undo = this.#replacedBy;
    this.#replacedBy = undefined;
    if (text === this.#stored) return;
    this.#stored = text;
    this.context.document.update({ lint: { text } }, undo);
  }

  // Analyzes the text once the user rests.
  #checkSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(), restMs);
  }

  async #check(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const number = (this.#newest += 1);
    const { text } = this.text;
    const { model, backend } = this.context.document.value.settings;
    const chosen = this.#request === undefined ? {} : { request: this.#request };
    const options = { model, backend, now: new Date().toISOString(), ...chosen };
    this.isBusy.value = true;
    try {
      const analysis = await this.#engine.ask({ text, options });
      if (analysis && number === this.#newest) this.#show(analysis, text);
    } catch (error) {
      if (number === this.#newest)
        this.failure.value = `The text was not checked: ${messageOf(error)}`;
    } finally {
      if (number === this.#newest) this.isBusy.value = false;
    }
  }

  #open(text: string): void {
    this.#forget();
    this.#stored = text;
    this.text.open(text);
    void this.#check();
  }

  // What is known belongs to the text before.
  #forget(): void {
    this.#request = undefined;
    this.#isNew = true;
    this.analysis.value = undefined;
    this.failure.value = '';
    this.made.value = [];
    this.notices.value = {};
    this.#replacedBy = undefined;
  }

  #change(text: string, made: readonly MadeRepair[]): void {
    this.text.replace(text);
    this.#showMade(made);
    void this.#check();
    this.focusVerdict();
  }

  #showMade(made: readonly MadeRepair[]): void {
    if (made.length === 0 && this.made.peek().length === 0) return;
    this.made.value = made;
    this.#repaired = this.text.text;
    this.text.setChanges(made.flatMap(({ inverse }) => inverse));
  }

  #typed(): void {
    this.#notice('size', '');
    this.failure.value = '';
    const change =
      this.made.peek().length > 0 ? differenceOf(this.#repaired, this.text.text) : undefined;
    if (change) {
      const { insert: text, ...range } = change;
      this.#showMade(followRepairs(this.made.peek(), [{ ...range, text }]));
    }
    this.#checkSoon();
  }

  // A paste of all, or over the example, is another text. One that is too long has changed nothing.
  #pasted(pasted: string): void {
    if (this.notices.peek().size !== undefined) return;
    this.#request = undefined;
    this.notices.value = {};
    if (this.text.text.trim() === pasted.trim()) this.#forget();
    void this.#check();
  }

  #show(analysis: Analysis, analyzed: string): void {
    this.failure.value = '';
    const isCurrent = this.text.text === analyzed;
    if (isCurrent) {
      // Stores the analyzed text, which has no credentials, and removes them from the page.
      if (analysis.text !== analyzed) this.text.replace(analysis.text, { isUndoable: false });
      const { removedSecrets: secrets } = analysis;
      const what = secrets === 1 ? '1 API key or token was' : `${secrets} API keys or tokens were`;
      if (secrets > 0) this.#notice('secrets', `${what} removed from what you pasted.`);
      this.#keep(analysis.text);
    }
    if ((this.#request ?? 0) >= analysis.requests.length) this.#request = undefined;
    this.analysis.value = analysis;
    this.#showMarks(analysis, isCurrent);
    void this.text.load();
    const first = analysis.findings.find(({ severity }) => severity === 'error');
    if (this.#isNew && first) this.text.scrollTo(first.from);
    this.#isNew = false;
  }

  // The marks of a text that has changed since move with it, until the next analysis.
  #showMarks({ findings, chosen, text, repairs }: Analysis, isCurrent: boolean): void {
    const marked = keptFindings(findings, chosen, shownMarks);
    const isLong = text.length > maxHighlighted;
    const long = `This text has ${sizeWords(text.length)}: it is shown without colors.`;
    const some = `The first ${marked.length} of ${amount(findings.length, 'finding')} are underlined.`;
    this.#notice('long', isLong ? long : '');
    this.#notice('marks', marked.length < findings.length ? some : '');
    if (!isCurrent) return;
    const marks = marked.flatMap((finding) => {
      const { words } = repairs[finding.repair ?? -1] ?? {};
      const actions = words && [{ name: words.offer, run: () => this.repairFindings([finding]) }];
      return [finding, ...finding.places].map(({ from, to }) => {
        // Of a whole Content, only the first line is underlined.
        const end = text.indexOf('\n', from);
        const last = end < 0 || end >= to ? to : Math.max(end, from);
        const { code, severity, message } = finding;
        return { code, severity, message, from, to: last, ...(actions ? { actions } : {}) };
      });
    });
    this.text.setMarks(marks);
  }

  #refused(length: number): void {
    const what = `This text has ${sizeWords(length)} and was not inserted.`;
    const way = 'For longer ones, run npx prompt-strata lint with the file.';
    this.#notice('size', `${what} The page takes up to ${sizeWords(maxTextLength)}. ${way}`);
  }

  #notice(kind: keyof Notices, text: string): void {
    const { [kind]: before = '', ...others } = this.notices.peek();
    if (before !== text) this.notices.value = text === '' ? others : { ...others, [kind]: text };
  }
}
