// Why this file exists: the events of a conversation become what a reader sees, in the order in which they
// happen.
import type { ConversationEvent, Diagnostic, Json, ToolCall } from '../index.js';
import { AnswerView } from './answer-view.js';
import { findingsView, isTrouble, without } from './diagnostics-view.js';
import { amount, button, element, textOf } from './dom.js';
import { failureView, type Failure } from './failure-view.js';
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

/** The log of a conversation. */
export class ConversationView {
  readonly #log: HTMLElement;
  readonly #showRequest: (number: number) => void;
  readonly #empty: Node[];
  readonly #cards = new Map<ToolCall, ToolCard>();
  #answer: AnswerView | undefined;
  #atEnd = true;
  /** What was noticed about the newest request: an event repeats it. */
  #told: Diagnostic[] = [];
  /** All that came; each says where it went. */
  #signatures: SignatureLine[] = [];
  /** Of the newest answer's calls, in their order; undefined for one that is not signed. */
  #callSignatures: (SignatureLine | undefined)[] = [];

  /** What stands in `log` is shown while nothing was said. */
  constructor(log: HTMLElement, showRequest: (number: number) => void) {
    this.#log = log;
    this.#showRequest = showRequest;
    this.#empty = [...log.childNodes];
    log.onscroll = () => {
      this.#atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 48;
    };
  }

  clear(): void {
    this.#cards.clear();
    this.#answer = undefined;
    this.#signatures = [];
    this.#atEnd = true;
    this.#log.replaceChildren(...this.#empty);
  }

  request({ number, body, json, manifest }: SentRequest): void {
    const show = () => this.#showRequest(number);
    for (const signature of this.#signatures) signature.sentBack(json, number, show);
    const line = button(`Request ${number}: ${amount(body.length, 'byte')}`, show);
    line.className = 'sent';
    this.#append(line);
    this.#tell(manifest.diagnostics, json);
    this.#told = manifest.diagnostics;
    this.#answer = new AnswerView();
    this.#append(this.#answer.root);
  }

  /** Everything but `request`, which has a number. */
  event(event: ConversationEvent): void {
    if (event.type === 'text') this.#answer?.addText(event.text);
    if (event.type === 'thought') this.#answer?.addThought(event.text);
    if (event.type === 'turn') this.#turn(event.content);
    if (event.type === 'toolCall') this.#call(event.call);
    if (event.type === 'toolResult') this.#cards.get(event.call)?.show(event.response);
    if (event.type === 'diagnostics') this.#tell(without(event.diagnostics, this.#told), '');
    if (event.type === 'fault') this.#answer?.discard();
    const note = noteOf(event);
    if (note !== undefined) this.#answer?.note(note);
    this.#follow();
  }

  /** A new send: what an older failure offered is out of date. */
  begin(): void {
    for (const offer of this.#log.querySelectorAll('.failure button')) offer.remove();
  }

  /** A send that broke off. */
  failure(failure: Failure): void {
    this.#answer?.end();
    for (const card of this.#cards.values()) card.stop();
    const { resume } = failure;
    const leave = resume && (() => (view.remove(), resume()));
    const view = failureView({ ...failure, resume: leave });
    this.#append(view);
  }

  #turn(content: Uint8Array): void {
    const { role, parts }: Content = JSON.parse(textOf(content));
    if (role !== 'model') return this.#userTurn(parts);
    const signed = parts.map((part) => ({ part, line: this.#signature(part.thoughtSignature) }));
    this.#callSignatures = signed.filter(({ part }) => part.functionCall).map(({ line }) => line);
    for (const { part, line } of signed)
      if (line && !part.functionCall) this.#answer?.add(line.root);
    this.#answer?.end();
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
    this.#signatures.push(line);
    return line;
  }

  #call(call: ToolCall): void {
    const card = new ToolCard(call.name, call.args, this.#callSignatures.shift());
    this.#cards.set(call, card);
    this.#answer?.add(card.root);
  }

  // Mere notes stand with their request.
  #tell(diagnostics: Diagnostic[], json: string): void {
    const troubles = diagnostics.filter(isTrouble);
    if (troubles.length > 0) this.#append(findingsView(troubles, json));
  }

  #append(...nodes: Node[]): void {
    if (this.#log.contains(this.#empty[0] ?? null)) this.#log.replaceChildren();
    this.#log.append(...nodes);
    this.#follow();
  }

  // Whoever scrolled up to read is left there.
  #follow(): void {
    if (this.#atEnd) this.#log.scrollTop = this.#log.scrollHeight;
  }
}
