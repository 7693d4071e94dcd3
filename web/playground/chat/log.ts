// Holds what the log shows: the turns of a saved conversation, and the events of sends in the order in which they happen.
import { signal } from '@preact/signals';
import type { ConversationEvent, Diagnostic, ToolCall } from '../../index.js';
import type { AnswerNumbers, ChatDraft } from '../state/playground-document.js';
import { Answer, isShownAlone, type ShownCall } from './answer.js';
import type { OpenCall } from './session.js';
import { isProblem, newFindings } from './findings.js';
import type { ChatRequest, NumberedRequest, Requests } from './requests.js';
import type { SavedTurn } from './turns.js';
import { noteOf } from './words.js';

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

export class Log {
  readonly items = signal<readonly LogItem[]>([]);
  /** Counts the times that another conversation took the place of the one before: it is not announced. */
  readonly loads = signal(0);
  readonly #requests: Requests;
  readonly #calls = new Map<ToolCall, ShownCall>();
  #answer: Answer | undefined;
  /** The findings of the newest request. A later event repeats them. */
  #reported: readonly Diagnostic[] = [];
  /** The calls of the newest answer that have no results yet, and do not run. */
  #open: ShownCall[] = [];

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** Shows the turns of a conversation in place of what is there. */
  load(turns: readonly SavedTurn[], { numbers = [] }: ChatDraft): void {
    this.#calls.clear();
    this.#answer = undefined;
    this.#open = [];
    this.items.value = turns.flatMap((turn) => this.#saved(turn, numbers));
    this.loads.value += 1;
  }

  request(request: NumberedRequest, { manifest: { diagnostics } }: ChatRequest): void {
    this.#add({ kind: 'request', request });
    this.#findings(diagnostics);
    this.#reported = diagnostics;
    this.#answer = new Answer();
    this.#add({ kind: 'answer', answer: this.#answer });
  }

  /** Shows an event other than `request`. `turn` is the one of an event `turn`. */
  event(event: ConversationEvent, turn: SavedTurn | undefined): void {
    const answer = this.#answer;
    if (event.type === 'text') answer?.add({ text: event.text });
    if (event.type === 'thought') answer?.add({ text: event.text, thought: true });
    if (event.type === 'part' && isShownAlone(event.part)) answer?.add(event.part);
    if (turn) this.#turn(turn);
    if (event.type === 'toolCall') this.#call(event.call);
    if (event.type === 'toolResult') this.#become(event.call, { result: event.response });
    if (event.type === 'diagnostics')
      this.#findings(newFindings(event.diagnostics, this.#reported));
    const note = noteOf(event);
    if (note !== undefined) answer?.note(note);
  }

  answered(numbers: AnswerNumbers): void {
    if (this.#answer) this.#answer.numbers.value = numbers;
  }

  ask(asked: OpenCall): void {
    this.#become(asked.call, { asked });
  }

  /** Keeps an unfinished answer in sight that has a text, and says that it is not part of the conversation. */
  discard(reason: string): void {
    const answer = this.#answer;
    answer?.flush();
    if (!answer?.isUnfinished || !answer.parts.peek().some(({ text, thought }) => text && !thought))
      return;
    answer.discard(reason);
    this.#answer = undefined;
  }

  note(text: string): void {
    this.#add({ kind: 'note', text });
  }

  fail(error: unknown, isAdded: boolean): void {
    if (this.#answer?.isUnfinished) this.#remove(this.#answer);
    for (const [call, { state }] of this.#calls) {
      const now = state.peek();
      if (typeof now === 'string' || 'asked' in now) this.#become(call, 'stopped');
    }
    this.#answer = undefined;
    this.#add({ kind: 'failure', error, isAdded });
  }

  // An answer without a text would wait forever.
  #remove(answer: Answer): void {
    answer.flush();
    if (answer.parts.peek().length + answer.notes.peek().length > 0) return;
    const isOther = (item: LogItem) => item.kind !== 'answer' || item.answer !== answer;
    this.items.value = this.items.peek().filter(isOther);
  }

  #add(...items: LogItem[]): void {
    this.items.value = [...this.items.peek(), ...items];
  }

  #turn(turn: SavedTurn): void {
    if (turn.content.role !== 'model') {
      if (isMessage(turn)) this.#add({ kind: 'message', turn });
    } else if (this.#answer) {
      this.#answer.complete(turn);
      this.#open = [...this.#answer.calls];
    }
  }

  #saved(turn: SavedTurn, numbers: readonly AnswerNumbers[]): LogItem[] {
    if (turn.content.role !== 'model') {
      for (const { functionResponse } of turn.content.parts) {
        const call = functionResponse && this.#open.shift();
        if (call) call.state.value = { result: functionResponse.response };
      }
      return isMessage(turn) ? [{ kind: 'message', turn }] : [];
    }
    const answer = new Answer();
    answer.complete(turn);
    this.#open = [...answer.calls];
    answer.numbers.value = numbers.find(({ at }) => at === turn.at);
    const request = this.#requests.of(turn);
    const shown: LogItem = { kind: 'answer', answer };
    return request ? [{ kind: 'request', request }, shown] : [shown];
  }

  #call(call: ToolCall): void {
    const shown = this.#open.shift();
    if (!shown) return;
    this.#calls.set(call, shown);
    this.#become(call, 'running');
  }

  #become(call: ToolCall, state: ShownCall['state']['value']): void {
    const shown = this.#calls.get(call);
    if (shown) shown.state.value = state;
  }

  // Notes are shown only with their request.
  #findings(findings: readonly Diagnostic[]): void {
    const problems = findings.filter(isProblem);
    if (problems.length > 0) this.#add({ kind: 'findings', findings: problems });
  }
}
