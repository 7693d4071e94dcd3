// Shows the events of a conversation in the order in which they happen, and the turns of a saved one.
import type { ConversationEvent, Diagnostic, Part, ToolCall } from '../../index.js';
import type { AnswerNumbers, ChatDraft } from '../state/playground-document.js';
import { amount, button } from '../../ui/dom.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import { AnswerView } from './answer-view.js';
import { findingsView, isProblem, without } from '../engine/diagnostics-view.js';
import { noteOf } from './event-notes.js';
import { failureView, unansweredView, type Actions, type Failure } from './failure-view.js';
import { discardedAnswer, savedAnswer, userTurn } from './log-turns.js';
import type { MessageLog } from './message-log.js';
import { numbersView, type PricedAnswer } from './numbers-view.js';
import { partView } from './part-view.js';
import { editableTexts, type SavedTurn, type ShownContent } from './saved-turns.js';
import type { SentRequest } from './session.js';
import { signaturesIn } from '../../ui/signatures.js';
import { SignatureLine, ToolCard } from './tool-card.js';
import { turnActions, type TurnAction, type TurnHandler } from './turn-actions.js';

/** The elements that later events of a conversation refer to. */
class Shown {
  readonly cards = new Map<ToolCall, ToolCard>();
  answer: AnswerView | undefined;
  /** The diagnostics of the newest request. A later event repeats them. */
  reported: Diagnostic[] = [];
  /** All signatures; each shows the request that returned it. */
  signatures: SignatureLine[] = [];
  /** The signatures of the newest answer's calls, in order; undefined for an unsigned call. */
  callSignatures: (SignatureLine | undefined)[] = [];
  /** The cards of the newest saved answer that have no results yet. */
  openCards: ToolCard[] = [];
  /** The line of the newest request, and those of earlier answers by the time of their turns. */
  sent: HTMLElement | undefined;
  readonly sentLines = new Map<string, HTMLElement>();
}

/** What the log shows and calls besides the events. */
export interface LogOptions {
  showRequest: (number: number) => void;
  onTurn: TurnHandler;
  priceOf: (model: string) => PricedAnswer;
}

/** The message log of a conversation. */
export class ConversationView {
  readonly #log: MessageLog;
  readonly #options: LogOptions;
  #shown = new Shown();

  constructor(log: MessageLog, options: LogOptions) {
    this.#log = log;
    this.#options = options;
  }

  /** The text of the answer that is not complete; '' if there is none. */
  get unfinishedText(): string {
    const { answer } = this.#shown;
    return answer && !answer.isComplete ? answer.text : '';
  }

  /** Empties the log and shows the notice. Returns a function that restores the previous log with a note. */
  clear(notice?: HTMLElement): (note: string) => void {
    const shown = this.#shown;
    const restore = this.#log.clear(notice);
    this.#shown = new Shown();
    return (note) => {
      this.#shown = shown;
      restore(note);
    };
  }

  /** Shows the turns of a conversation in place of those in the log. `actions` are for an unanswered message. */
  async load(turns: SavedTurn[], chat: ChatDraft, actions: Actions | undefined): Promise<void> {
    const { sentLines } = this.#shown;
    const shown = (this.#shown = new Shown());
    for (const [at, line] of sentLines) shown.sentLines.set(at, line);
    const draw = (turn: SavedTurn) => [
      ...chat.discarded.filter(({ after }) => after === turn.index).map(discardedAnswer),
      ...this.#savedTurn(turn, chat.numbers),
    ];
    await this.#log.fill(turns, draw);
    if (shown !== this.#shown) return;
    for (const card of shown.openCards) card.leaveOpen();
    const last = chat.discarded.filter(({ after }) => after >= turns.length);
    if (last.length > 0) this.#log.append(...last.map(discardedAnswer));
    if (actions) this.#log.append(unansweredView(actions));
  }

  /** Shows a request. */
  request({ number, body, json, manifest }: SentRequest): void {
    const show = () => this.#options.showRequest(number);
    const sent = new Set(signaturesIn(json));
    for (const signature of this.#shown.signatures) signature.sentBack(sent, number, show);
    const line = button(`Request ${number}: ${amount(body.length, 'byte')}`, show);
    line.className = 'sent';
    this.#log.append(line);
    this.#shown.sent = line;
    this.#showFindings(manifest.diagnostics, json);
    this.#shown.reported = manifest.diagnostics;
    this.#shown.answer = new AnswerView();
    this.#log.append(this.#shown.answer.root);
  }

  /** Shows an event other than `request`. */
  event(event: ConversationEvent): void {
    const { answer } = this.#shown;
    if (event.type === 'text') answer?.addText(event.text);
    if (event.type === 'thought') answer?.addThought(event.text);
    if (event.type === 'part') this.#part(event.part);
    if (event.type === 'turn') this.#turn(JSON.parse(decodeUtf8(event.content)), event.index);
    if (event.type === 'toolCall') this.#call(event.call);
    if (event.type === 'toolResult') this.#shown.cards.get(event.call)?.show(event.response);
    if (event.type === 'diagnostics')
      this.#showFindings(without(event.diagnostics, this.#shown.reported), '');
    const note = noteOf(event);
    if (note !== undefined) answer?.note(note);
    this.#log.follow();
  }

  /** Shows the numbers of the answer that has just become a turn. */
  answered({ index, model = '', content }: SavedTurn, numbers: AnswerNumbers): void {
    const { answer, sent, sentLines } = this.#shown;
    if (sent) sentLines.set(numbers.at, sent);
    if (!answer) return;
    const footer = numbersView(numbers, this.#options.priceOf(model));
    answer.setFooter(footer, this.#actions(answer.root, index, content));
    this.#log.follow();
  }

  /** Shows the card with which the user answers a call. */
  ask(call: ToolCall, card: HTMLElement): void {
    this.#shown.cards.get(call)?.ask(card);
    this.#log.follow();
  }

  /** Starts a send: removes the buttons of earlier failures. */
  begin(): void {
    const old = '.failure .actions, .restored';
    for (const node of this.#log.root.querySelectorAll(old)) node.remove();
  }

  /** Marks the answer that is not complete as discarded. */
  discard(reason: string): void {
    this.#shown.answer?.discard(reason);
    this.#shown.answer = undefined;
  }

  /** Shows a failed send. */
  failure(failure: Failure): void {
    this.#shown.answer?.end();
    for (const card of this.#shown.cards.values()) card.stop();
    const { actions } = failure;
    const removingActions = actions && {
      ...actions,
      resume: () => {
        view.remove();
        actions.resume();
      },
    };
    const view = failureView({ ...failure, actions: removingActions });
    this.#log.append(view);
  }

  /** Removes the user's last message and what follows. `actions` are for an earlier unanswered message. */
  removeLastMessage(actions: Actions | undefined): void {
    const last = [...this.#log.root.querySelectorAll('.turn.user')].at(-1);
    while (last?.nextSibling) last.nextSibling.remove();
    last?.remove();
    if (actions) this.#log.append(unansweredView(actions));
    else this.#log.restoreEmpty();
  }

  #turn(content: ShownContent, index: number): void {
    const { role, parts } = content;
    if (role !== 'model') return this.#userTurn(content, index);
    const { answer } = this.#shown;
    const signed = parts.map((part) => ({ part, line: this.#signature(part.thoughtSignature) }));
    this.#shown.callSignatures = signed
      .filter(({ part }) => part.functionCall)
      .map(({ line }) => line);
    for (const { part, line } of signed) if (line && !part.functionCall) answer?.add(line.root);
    answer?.complete();
  }

  #userTurn(content: ShownContent, index: number): void {
    const turn = userTurn(content.parts);
    if (!turn) return;
    turn.append(this.#actions(turn, index, content));
    this.#log.append(turn);
  }

  #savedTurn(turn: SavedTurn, numbers: readonly AnswerNumbers[] = []): Node[] {
    const { index, content, at = '', model = '' } = turn;
    if (content.role !== 'model') {
      this.#savedResults(content.parts);
      const view = userTurn(content.parts);
      view?.append(this.#actions(view, index, content));
      return view ? [view] : [];
    }
    const { answer, cards, signatures } = savedAnswer(content.parts);
    this.#shown.openCards = cards;
    this.#shown.signatures.push(...signatures);
    const known = numbers.find((one) => one.at === at);
    const footer = known ? [numbersView(known, this.#options.priceOf(model))] : [];
    answer.setFooter(...footer, this.#actions(answer.root, index, content));
    const line = this.#shown.sentLines.get(at);
    return line ? [line, answer.root] : [answer.root];
  }

  #savedResults(parts: readonly Part[]): void {
    const results = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
    for (const { response } of results) this.#shown.openCards.shift()?.show(response);
  }

  #actions(turn: HTMLElement, index: number, content: ShownContent): HTMLElement {
    const edit: TurnAction[] = editableTexts(content).length > 0 ? ['edit'] : [];
    const run: TurnAction[] = content.role === 'model' && index === 0 ? [] : ['run'];
    const actions: TurnAction[] = [...edit, ...run, 'branch', 'delete'];
    return turnActions(turn, index, actions, this.#options.onTurn);
  }

  #signature(signature: string | undefined): SignatureLine | undefined {
    if (signature === undefined) return undefined;
    const line = new SignatureLine(signature);
    this.#shown.signatures.push(line);
    return line;
  }

  #part(part: Part): void {
    const view = partView(part);
    if (view) this.#shown.answer?.add(view);
  }

  #call(call: ToolCall): void {
    const { answer, cards, callSignatures, openCards } = this.#shown;
    // The call of a saved answer is shown already.
    const saved = answer ? undefined : openCards.shift();
    saved?.run();
    const card = saved ?? new ToolCard(call.name, call.args, callSignatures.shift());
    cards.set(call, card);
    if (!saved) answer?.add(card.root);
  }

  // Diagnostics of severity info are shown only with their request.
  #showFindings(diagnostics: Diagnostic[], json: string): void {
    const problems = diagnostics.filter(isProblem);
    if (problems.length > 0) this.#log.append(findingsView(problems, json));
  }
}
