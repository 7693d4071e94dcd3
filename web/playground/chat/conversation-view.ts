// Shows the events of a conversation in the order in which they happen.
import type { ConversationEvent, Diagnostic, Json, ToolCall } from '../../index.js';
import { AnswerView } from './answer-view.js';
import { findingsView, isProblem, without } from './diagnostics-view.js';
import { amount, button, element, textOf } from '../dom.js';
import { failureView, unansweredView, type Actions, type Failure } from './failure-view.js';
import type { SentRequest } from './session.js';
import { SignatureLine, ToolCard } from './tool-card.js';

interface Content {
  role?: string;
  parts: { text?: string; functionCall?: Json; thoughtSignature?: string }[];
}

// Returns the note for an event that is shown as a sentence.
function noteOf(event: ConversationEvent): string | undefined {
  if (event.type === 'limit')
    return `Stopped at the limit of ${event.rounds} rounds of tool calls.`;
  if (event.type === 'empty') return `The answer is empty (finishReason ${event.finishReason}).`;
  if (event.type === 'loop') {
    return event.kind === 'calls'
      ? 'The model repeats the same calls. They were not run.'
      : 'The answer repeats the same text.';
  }
  if (event.type === 'retry') return `${event.code}: retried after ${event.delayMs} ms.`;
  return undefined;
}

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
}

// The time during which screen readers must not announce a change.
const silentMs = 300;

/** The message log of a conversation. */
export class ConversationView {
  readonly #log: HTMLElement;
  readonly #showRequest: (number: number) => void;
  readonly #empty: ChildNode[];
  #shown = new Shown();
  #atEnd = true;

  /** The initial children of `log` are shown while there are no messages. */
  constructor(log: HTMLElement, showRequest: (number: number) => void) {
    this.#log = log;
    this.#showRequest = showRequest;
    this.#empty = [...log.childNodes];
    log.onscroll = () => {
      this.#atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 48;
    };
  }

  /**
   * Empties the log and shows the notice, if there is one. Returns a function that restores the previous
   * log and adds a note to it.
   */
  clear(notice?: HTMLElement): (note: string) => void {
    const [shown, atEnd, { scrollTop }] = [this.#shown, this.#atEnd, this.#log];
    const nodes = [...this.#log.childNodes];
    this.#shown = new Shown();
    this.#atEnd = true;
    this.#log.replaceChildren(...(notice ? [notice] : []), ...this.#empty);
    return (note) => {
      this.#shown = shown;
      this.#withoutAnnouncing(() => this.#log.replaceChildren(...nodes));
      this.#log.scrollTop = scrollTop;
      this.#atEnd = atEnd;
      this.#log.querySelector('.restored')?.remove();
      this.#append(element('p', { className: 'note restored', role: 'status' }, note));
    };
  }

  /** Shows a request. */
  request({ number, body, json, manifest }: SentRequest): void {
    const show = () => this.#showRequest(number);
    for (const signature of this.#shown.signatures) signature.sentBack(json, number, show);
    const line = button(`Request ${number}: ${amount(body.length, 'byte')}`, show);
    line.className = 'sent';
    this.#append(line);
    this.#showFindings(manifest.diagnostics, json);
    this.#shown.reported = manifest.diagnostics;
    this.#shown.answer = new AnswerView();
    this.#append(this.#shown.answer.root);
  }

  /** Shows an event other than `request`. */
  event(event: ConversationEvent): void {
    if (event.type === 'text') this.#shown.answer?.addText(event.text);
    if (event.type === 'thought') this.#shown.answer?.addThought(event.text);
    if (event.type === 'turn') this.#turn(event.content);
    if (event.type === 'toolCall') this.#call(event.call);
    if (event.type === 'toolResult') this.#shown.cards.get(event.call)?.show(event.response);
    if (event.type === 'diagnostics')
      this.#showFindings(without(event.diagnostics, this.#shown.reported), '');
    if (event.type === 'fault') this.#shown.answer?.discard();
    const note = noteOf(event);
    if (note !== undefined) this.#shown.answer?.note(note);
    this.#follow();
  }

  /** Starts a send: removes the buttons of earlier failures. */
  begin(): void {
    for (const old of this.#log.querySelectorAll('.failure .actions, .restored')) old.remove();
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
    this.#append(view);
  }

  /** Removes the user's last message and what follows. `actions` are for an earlier unanswered message. */
  removeLastMessage(actions: Actions | undefined): void {
    const last = [...this.#log.querySelectorAll('.turn.user')].at(-1);
    while (last?.nextSibling) last.nextSibling.remove();
    last?.remove();
    if (actions) this.#append(unansweredView(actions));
    else if (this.#log.childNodes.length === 0) this.#log.append(...this.#empty);
  }

  #turn(content: Uint8Array): void {
    const { role, parts }: Content = JSON.parse(textOf(content));
    if (role !== 'model') return this.#userTurn(parts);
    const signed = parts.map((part) => ({ part, line: this.#signature(part.thoughtSignature) }));
    this.#shown.callSignatures = signed
      .filter(({ part }) => part.functionCall)
      .map(({ line }) => line);
    for (const { part, line } of signed)
      if (line && !part.functionCall) this.#shown.answer?.add(line.root);
    this.#shown.answer?.end();
  }

  #userTurn(parts: Content['parts']): void {
    const text = parts.map((part) => part.text ?? '').join('\n');
    // Results of tools are shown with their calls.
    if (text.trim() === '') return;
    const paragraph = element('p', { className: 'text' }, text);
    this.#append(
      element('article', { className: 'turn user' }, element('h3', {}, 'You'), paragraph),
    );
  }

  #signature(signature: string | undefined): SignatureLine | undefined {
    if (signature === undefined) return undefined;
    const line = new SignatureLine(signature);
    this.#shown.signatures.push(line);
    return line;
  }

  #call(call: ToolCall): void {
    const card = new ToolCard(call.name, call.args, this.#shown.callSignatures.shift());
    this.#shown.cards.set(call, card);
    this.#shown.answer?.add(card.root);
  }

  // Diagnostics of severity info are shown only with their request.
  #showFindings(diagnostics: Diagnostic[], json: string): void {
    const problems = diagnostics.filter(isProblem);
    if (problems.length > 0) this.#append(findingsView(problems, json));
  }

  #append(...nodes: Node[]): void {
    for (const node of this.#empty) node.remove();
    this.#log.append(...nodes);
    this.#follow();
  }

  // Prevents a screen reader from announcing restored content again.
  #withoutAnnouncing(change: () => void): void {
    this.#log.ariaLive = 'off';
    change();
    for (const announced of this.#log.querySelectorAll('[role]')) announced.role = null;
    setTimeout(() => (this.#log.ariaLive = null), silentMs);
  }

  // Scrolls to the end, unless the user has scrolled up.
  #follow(): void {
    if (this.#atEnd) this.#log.scrollTop = this.#log.scrollHeight;
  }
}
