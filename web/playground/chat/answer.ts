// Holds one answer of the model, as the log shows it while it streams and afterwards: its Parts, calls and numbers.
import { signal, type Signal } from '@preact/signals';
import type { Part } from '../../index.js';
import type { AnswerNumbers } from '../state/playground-document.js';
import type { OpenCall } from './session.js';
import type { SavedTurn } from './turns.js';

/** A call of the model. `open`: it has no result yet; `stopped`: it gets none now. */
export interface ShownCall {
  part: Part;
  state: Signal<'open' | 'running' | 'stopped' | { asked: OpenCall } | { result: unknown }>;
}

/** Whether a part shows something besides text, calls and results. */
export const isShownAlone = ({ inlineData, fileData, executableCode, codeExecutionResult }: Part) =>
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
