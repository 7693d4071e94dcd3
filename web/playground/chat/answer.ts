// Holds one answer of the model, as the log shows it while it streams: thoughts, text, calls, images and signatures.
import { signal, type Signal } from '@preact/signals';
import type { Json, Part } from '../../index.js';
import type { AnswerNumbers } from '../state/playground-document.js';
import { ShownCall, ShownSignature } from './calls.js';
import type { SavedTurn } from './turns.js';

/** What an answer consists of, in the order in which it came. */
export type Piece =
  | { kind: 'thoughts' | 'text'; text: Signal<string> }
  | { kind: 'part'; part: Part }
  | { kind: 'call'; call: ShownCall }
  | { kind: 'signature'; signature: ShownSignature }
  | { kind: 'note'; text: string };

/** An answer. It waits until something is added. */
export class Answer {
  readonly pieces = signal<readonly Piece[]>([]);
  readonly state = signal<'waiting' | 'streaming' | 'complete' | 'discarded'>('waiting');
  readonly numbers = signal<AnswerNumbers>();
  /** Set once it is part of the conversation. */
  readonly turn = signal<SavedTurn>();
  /** The text so far, without thoughts. */
  text = '';
  /** What the next frame adds. */
  #pending: { piece: Piece & { text: Signal<string> }; text: string }[] = [];

  /** Whether it may still be discarded. */
  get isUnfinished(): boolean {
    return this.state.peek() === 'waiting' || this.state.peek() === 'streaming';
  }

  addThought(text: string): void {
    const thoughts = this.pieces.peek().find(({ kind }) => kind === 'thoughts');
    this.#addTo(thoughts, 'thoughts', text);
  }

  addText(text: string): void {
    if (text === '') return;
    this.text += text;
    this.#addTo(this.pieces.peek().at(-1), 'text', text);
  }

  add(piece: Piece): void {
    this.flush();
    this.pieces.value = [...this.pieces.peek(), piece];
    if (this.state.peek() === 'waiting') this.state.value = 'streaming';
  }

  note(text: string): void {
    this.add({ kind: 'note', text });
  }

  complete(turn: SavedTurn): void {
    this.flush();
    this.turn.value = turn;
    this.state.value = 'complete';
  }

  /** Shows it crossed out: it is not in the conversation. */
  discard(reason: string): void {
    this.note(`${reason}. It is not part of the history and is not sent.`);
    this.state.value = 'discarded';
  }

  /** Shows what has come. */
  flush(): void {
    for (const { piece, text } of this.#pending.splice(0)) piece.text.value += text;
  }

  // Text is drawn once a frame, because many pieces come in between.
  #addTo(last: Piece | undefined, kind: 'thoughts' | 'text', text: string): void {
    if (last?.kind !== kind) return this.add({ kind, text: signal(text) });
    if (this.#pending.length === 0) requestAnimationFrame(() => this.flush());
    this.#pending.push({ piece: last, text });
  }
}

/** An answer of a saved thread, and what later turns refer to. */
export interface SavedAnswer {
  answer: Answer;
  calls: ShownCall[];
  signatures: ShownSignature[];
}

/** Returns the answer that a turn of the model shows. */
export function savedAnswer(turn: SavedTurn): SavedAnswer {
  const answer = new Answer();
  const calls: ShownCall[] = [];
  const signatures: ShownSignature[] = [];
  for (const part of turn.content.parts) {
    const { text = '', thought, functionCall, thoughtSignature } = part;
    const signature =
      thoughtSignature === undefined ? undefined : new ShownSignature(thoughtSignature);
    if (signature) signatures.push(signature);
    if (thought) answer.addThought(text);
    else answer.addText(text);
    if (isShownAlone(part)) answer.add({ kind: 'part', part });
    if (functionCall) {
      const { name = '', args = {} } = functionCall;
      const call = new ShownCall(name, args as Json, signature);
      calls.push(call);
      answer.add({ kind: 'call', call });
    } else if (signature) answer.add({ kind: 'signature', signature });
  }
  answer.complete(turn);
  return { answer, calls, signatures };
}

/** Whether a part shows something besides text, calls and results. */
export const isShownAlone = ({
  inlineData,
  fileData,
  executableCode,
  codeExecutionResult,
}: Part): boolean => Boolean(inlineData ?? fileData ?? executableCode ?? codeExecutionResult);
