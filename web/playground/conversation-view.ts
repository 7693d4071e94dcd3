// Shows the events of a conversation in the order in which they happen.
import type { ConversationEvent, Diagnostic, Json, ToolCall } from '../index.js';
import { AnswerView } from './answer-view.js';
import { findingsView, isTrouble, without } from './diagnostics-view.js';
import { amount, button, element, textOf } from './dom.js';
import { failureView, unansweredView, type Actions, type Failure } from './failure-view.js';
import type { SentRequest } from './session.js';
import { SignatureLine, ToolCard } from './tool-card.js';

interface Content {
  role?: string;
  parts: { text?: string; functionCall?: Json; thoughtSignature?: string }[];
}

// What is told in a sentence.
function noteOf(event: ConversationEvent): string | undefined {
  if (event.type === 'limit') return `Tools ran ${event.rounds} times: the limit.`;
  if (event.type === 'empty') return `The answer is empty: ${event.finishReason}.`;
  if (event.type === 'loop') {
    return event.kind === 'calls'
      ? 'The same calls came again and again: they were not run.'
      : 'The answer repeats the same text again and again.';
  }
  if (event.type === 'retry') return `${event.code}: asked again after ${event.delayMs} ms.`;
  return undefined;
}

/** What later events of a conversation refer to. */
class Shown {
  readonly cards = new Map<ToolCall, ToolCard>();
  answer: AnswerView | undefined;
  /** What was noticed about the newest request: an event repeats it. */
  told: Diagnostic[] = [];
  /** All that came; each says where it went. */
  signatures: SignatureLine[] = [];
  /** Of the newest answer's calls, in their order; undefined for one that is not signed. */
  callSignatures: (SignatureLine | undefined)[] = [];
}

// How long a screen reader may take to notice a change that it shall not announce.
const quietMs = 300;

/** The log of a conversation. */
export class ConversationView {
  readonly #log: HTMLElement;
  readonly #showRequest: (number: number) => void;
  readonly #empty: ChildNode[];
  #shown = new Shown();
  #atEnd = true;

  /** What stands in `log` is shown while nothing was said. */
  constructor(log: HTMLElement, showRequest: (number: number) => void) {
    this.#log = log;
    this.#showRequest = showRequest;
    this.#empty = [...log.childNodes];
    log.onscroll = () => {
      this.#atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 48;
    };
  }

  /**
   * Shows that nothing was said yet, under a notice if there is one. The function that it returns brings
   * back what was there, with a note that says so.
   */
  clear(notice?: HTMLElement): (note: string) => void {
    const [shown, atEnd, { scrollTop }] = [this.#shown, this.#atEnd, this.#log];
    const nodes = [...this.#log.childNodes];
    this.#shown = new Shown();
    this.#atEnd = true;
    this.#log.replaceChildren(...(notice ? [notice] : []), ...this.#empty);
    return (note) => {
      this.#shown = shown;
      this.#quietly(() => this.#log.replaceChildren(...nodes));
      this.#log.scrollTop = scrollTop;
      this.#atEnd = atEnd;
      this.#log.querySelector('.restored')?.remove();
      this.#append(element('p', { className: 'note restored', role: 'status' }, note));
    };
  }

  request({ number, body, json, manifest }: SentRequest): void {
    const show = () => this.#showRequest(number);
    for (const signature of this.#shown.signatures) signature.sentBack(json, number, show);
    const line = button(`Request ${number}: ${amount(body.length, 'byte')}`, show);
    line.className = 'sent';
    this.#append(line);
    this.#tell(manifest.diagnostics, json);
    this.#shown.told = manifest.diagnostics;
    this.#shown.answer = new AnswerView();
    this.#append(this.#shown.answer.root);
  }

  /** Everything but `request`, which has a number. */
  event(event: ConversationEvent): void {
    if (event.type === 'text') this.#shown.answer?.addText(event.text);
    if (event.type === 'thought') this.#shown.answer?.addThought(event.text);
    if (event.type === 'turn') this.#turn(event.content);
    if (event.type === 'toolCall') this.#call(event.call);
    if (event.type === 'toolResult') this.#shown.cards.get(event.call)?.show(event.response);
    if (event.type === 'diagnostics') this.#tell(without(event.diagnostics, this.#shown.told), '');
    if (event.type === 'fault') this.#shown.answer?.discard();
    const note = noteOf(event);
    if (note !== undefined) this.#shown.answer?.note(note);
    this.#follow();
  }

  /** A new send: what an older failure offered is out of date. */
  begin(): void {
    for (const old of this.#log.querySelectorAll('.failure .actions, .restored')) old.remove();
  }

  /** A send that broke off. */
  failure(failure: Failure): void {
    this.#shown.answer?.end();
    for (const card of this.#shown.cards.values()) card.stop();
    const { actions } = failure;
    const leave = actions && {
      ...actions,
      resume: () => {
        view.remove();
        actions.resume();
      },
    };
    const view = failureView({ ...failure, actions: leave });
    this.#append(view);
  }

  /** Removes the user's last message and everything after it. What is left may wait for an answer itself. */
  takeBack(actions: Actions | undefined): void {
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
    // Results of tools stand with their calls.
    if (text.trim() === '') return;
    const words = element('p', { className: 'text' }, text);
    this.#append(element('article', { className: 'turn user' }, element('h3', {}, 'You'), words));
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

  // Mere notes stand with their request.
  #tell(diagnostics: Diagnostic[], json: string): void {
    const troubles = diagnostics.filter(isTrouble);
    if (troubles.length > 0) this.#append(findingsView(troubles, json));
  }

  #append(...nodes: Node[]): void {
    for (const node of this.#empty) node.remove();
    this.#log.append(...nodes);
    this.#follow();
  }

  // What was announced once is not announced again.
  #quietly(change: () => void): void {
    this.#log.ariaLive = 'off';
    change();
    for (const alert of this.#log.querySelectorAll('[role]')) alert.role = null;
    setTimeout(() => (this.#log.ariaLive = null), quietMs);
  }

  // Whoever scrolled up to read is left there.
  #follow(): void {
    if (this.#atEnd) this.#log.scrollTop = this.#log.scrollHeight;
  }
}
