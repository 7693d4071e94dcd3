// Holds what the log shows: the turns of a saved conversation, and the events of sends in the order in which they happen.
import { signal, type Signal } from '@preact/signals';
import type { ConversationEvent, Diagnostic, Part, ToolCall } from '../../index.js';
import type { AnswerNumbers, ChatDraft } from '../state/playground-document.js';
import type { OpenCall } from './session.js';
import { isProblem, newFindings } from './findings.js';
import type { ChatRequest, NumberedRequest, Requests } from './requests.js';
import type { SavedTurn } from './turns.js';
import { noteOf } from './words.js';

/** A call of the model. `open`: it has no result yet; `stopped`: it gets none now. */
export interface ShownCall {
  part: Part;
  state: Signal<'open' | 'running' | 'stopped' | { asked: OpenCall } | { result: unknown }>;
}

/** Whether a part shows something besides text, calls and results. */
const isShownAlone = ({ inlineData, fileData, executableCode, codeExecutionResult }: Part) =>
  Boolean(inlineData ?? fileData ?? executableCode ?? codeExecutionResult);

const isText = (part: Part | undefined): part is Part =>
  part?.text !== undefined && !part.functionCall && !isShownAlone(part);

// Joins texts that follow each other. A signature ends the text to which it belongs.
function joined(parts: readonly Part[]): Part[] {
  const all: Part[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    const continues =
      isText(last) && isText(part) && !last.thoughtSignature && !last.thought === !part.thought;
    if (continues) all.splice(-1, 1, { ...part, text: `${last.text}${part.text}` });
    else all.push(part);
  }
  return all;
}

/** An answer. It waits until something is added. */
export class Answer {
  readonly parts = signal<readonly Part[]>([]);
  /** What happened to it, in sentences. */
  readonly notes = signal<readonly string[]>([]);
  readonly isDiscarded = signal(false);
  readonly numbers = signal<AnswerNumbers>();
  /** Set once it is part of the conversation. */
  readonly turn = signal<SavedTurn>();
  calls: ShownCall[] = [];
  #pending: Part[] = [];

  /** Whether it may still be discarded. */
  get isUnfinished(): boolean {
    return !this.turn.peek() && !this.isDiscarded.peek();
  }

  /** Adds a Part. It is drawn with the next frame, because many come in between. */
  add(part: Part): void {
    if (this.#pending.length === 0) requestAnimationFrame(() => this.flush());
    this.#pending.push(part);
  }

  flush(): void {
    const pending = this.#pending.splice(0);
    if (pending.length > 0) this.parts.value = joined([...this.parts.peek(), ...pending]);
  }

  note(text: string): void {
    this.notes.value = [...this.notes.peek(), text];
  }

  complete(turn: SavedTurn): void {
    this.#pending = [];
    this.parts.value = joined(turn.content.parts);
    this.calls = this.parts
      .peek()
      .filter(({ functionCall }) => functionCall)
      .map((part) => ({ part, state: signal('open') }));
    this.turn.value = turn;
  }

  /** Shows it crossed out: it is not in the conversation. */
  discard(reason: string): void {
    this.note(`${reason}. It is not part of the history and is not sent.`);
    this.isDiscarded.value = true;
  }
}

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
