// Holds what the log shows: the turns of a saved conversation, and the events of sends in the order in which they happen.
import { signal } from '@preact/signals';
import type { ConversationEvent, Diagnostic, ToolCall } from '../../index.js';
import { signaturesIn } from '../engine/signatures.js';
import type { AnswerNumbers, ChatDraft } from '../state/playground-document.js';
import { Answer, isShownAlone, savedAnswer } from './answer.js';
import { ShownCall, ShownSignature, type OpenCall } from './calls.js';
import { isProblem, newFindings } from './findings.js';
import type { ChatRequest, NumberedRequest, Requests } from './requests.js';
import type { SavedTurn } from './turns.js';
import { noteOf } from './words.js';

/** What the log shows, in its order. */
export type LogItem =
  | { kind: 'message'; turn: SavedTurn }
  | { kind: 'request'; request: NumberedRequest }
  | { kind: 'answer'; answer: Answer }
  | { kind: 'findings'; findings: readonly Diagnostic[] }
  | { kind: 'failure'; error: unknown; isAdded: boolean }
  | { kind: 'note'; text: string };

const textOf = ({ content }: SavedTurn) => content.parts.map(({ text = '' }) => text).join('\n');

/** Whether a turn of the user shows something besides results of tools, which are shown with their calls. */
const isMessage = (turn: SavedTurn) =>
  textOf(turn).trim() !== '' || turn.content.parts.some(isShownAlone);

/** The log of a conversation. */
export class Log {
  readonly items = signal<readonly LogItem[]>([]);
  /** Counts the times that another conversation took the place of the one before: it is not announced. */
  readonly loads = signal(0);
  readonly #requests: Requests;
  readonly #calls = new Map<ToolCall, ShownCall>();
  #answer: Answer | undefined;
  /** The findings of the newest request. A later event repeats them. */
  #reported: readonly Diagnostic[] = [];
  #signatures: ShownSignature[] = [];
  /** The signatures of the newest answer's calls, in order; undefined for an unsigned call. */
  #callSignatures: (ShownSignature | undefined)[] = [];
  /** The calls of the newest saved answer that have no results yet. */
  #open: ShownCall[] = [];

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** Shows the turns of a conversation in place of what is there. */
  load(turns: readonly SavedTurn[], { numbers = [] }: ChatDraft): void {
    this.#calls.clear();
    this.#answer = undefined;
    this.#signatures = [];
    this.#open = [];
    this.items.value = turns.flatMap((turn) => this.#saved(turn, numbers));
    for (const call of this.#open) call.end('open');
    this.loads.value += 1;
  }

  /** Shows a request, and what it sends back. */
  request(request: NumberedRequest, bytes: ChatRequest): void {
    this.sends(request, bytes);
    this.#add({ kind: 'request', request });
    const { diagnostics } = bytes.manifest;
    this.#findings(diagnostics);
    this.#reported = diagnostics;
    this.#answer = new Answer();
    this.#add({ kind: 'answer', answer: this.#answer });
  }

  /** Notes which signatures a request sends back. */
  sends({ number }: NumberedRequest, { json }: ChatRequest): void {
    const sent = new Set(signaturesIn(json));
    for (const { text, sentBackIn } of this.#signatures)
      if (sent.has(text)) sentBackIn.value = Math.min(number, sentBackIn.peek() ?? number);
  }

  /** Shows an event other than `request`. `turnAt` reads a turn. */
  event(event: ConversationEvent, turnAt: (index: number) => SavedTurn | undefined): void {
    const answer = this.#answer;
    if (event.type === 'text') answer?.addText(event.text);
    if (event.type === 'thought') answer?.addThought(event.text);
    if (event.type === 'part' && isShownAlone(event.part))
      answer?.add({ kind: 'part', part: event.part });
    if (event.type === 'turn') this.#turn(turnAt(event.index));
    if (event.type === 'toolCall') this.#call(event.call);
    if (event.type === 'toolResult') this.#calls.get(event.call)?.answer(event.response);
    if (event.type === 'diagnostics')
      this.#findings(newFindings(event.diagnostics, this.#reported));
    const note = noteOf(event);
    if (note !== undefined) answer?.note(note);
  }

  /** Shows the numbers of the newest answer. */
  answered(numbers: AnswerNumbers): void {
    if (this.#answer) this.#answer.numbers.value = numbers;
  }

  /** Asks a person for the result of a call. */
  ask(open: OpenCall): void {
    this.#calls.get(open.call)?.ask(open);
  }

  /** Keeps an unfinished answer in sight that has a text, and says that it is not part of the conversation. */
  discard(reason: string): void {
    if (!this.#answer?.isUnfinished || this.#answer.text === '') return;
    this.#answer.discard(reason);
    this.#answer = undefined;
  }

  note(text: string): void {
    this.#add({ kind: 'note', text });
  }

  /** Shows a failed send. */
  fail(error: unknown, isAdded: boolean): void {
    if (this.#answer?.isUnfinished) this.#remove(this.#answer);
    for (const call of this.#calls.values()) call.end('stopped');
    this.#answer = undefined;
    this.#add({ kind: 'failure', error, isAdded });
  }

  // An answer without a text would wait forever.
  #remove(answer: Answer): void {
    if (answer.pieces.peek().length > 0) return answer.flush();
    this.items.value = this.items
      .peek()
      .filter((item) => item.kind !== 'answer' || item.answer !== answer);
  }

  #add(...items: LogItem[]): void {
    this.items.value = [...this.items.peek(), ...items];
  }

  #turn(turn: SavedTurn | undefined): void {
    if (!turn) return;
    if (turn.content.role !== 'model') {
      if (isMessage(turn)) this.#add({ kind: 'message', turn });
      return;
    }
    const { parts } = turn.content;
    this.#callSignatures = [];
    for (const { functionCall, thoughtSignature } of parts) {
      const signature = thoughtSignature === undefined ? undefined : this.#sign(thoughtSignature);
      if (functionCall) this.#callSignatures.push(signature);
      else if (signature) this.#answer?.add({ kind: 'signature', signature });
    }
    this.#answer?.complete(turn);
  }

  #sign(text: string): ShownSignature {
    const signature = new ShownSignature(text);
    this.#signatures.push(signature);
    return signature;
  }

  #saved(turn: SavedTurn, numbers: readonly AnswerNumbers[]): LogItem[] {
    if (turn.content.role !== 'model') {
      for (const { functionResponse } of turn.content.parts)
        if (functionResponse) this.#open.shift()?.answer(functionResponse.response);
      return isMessage(turn) ? [{ kind: 'message', turn }] : [];
    }
    const { answer, calls, signatures } = savedAnswer(turn);
    this.#open = calls;
    const request = this.#requests.of(turn);
    this.#signatures.push(...signatures);
    answer.numbers.value = numbers.find(({ at }) => at === turn.at);
    const bytes = request?.bytes.peek();
    if (request && bytes) this.sends(request, bytes);
    const shown: LogItem = { kind: 'answer', answer };
    return request ? [{ kind: 'request', request }, shown] : [shown];
  }

  #call(call: ToolCall): void {
    // The call of a saved answer is shown already.
    const saved = this.#answer ? undefined : this.#open.shift();
    if (saved) saved.state.value = 'running';
    const shown = saved ?? new ShownCall(call.name, call.args, this.#callSignatures.shift());
    this.#calls.set(call, shown);
    if (!saved) this.#answer?.add({ kind: 'call', call: shown });
  }

  // Notes are shown only with their request.
  #findings(findings: readonly Diagnostic[]): void {
    const problems = findings.filter(isProblem);
    if (problems.length > 0) this.#add({ kind: 'findings', findings: problems });
  }
}
