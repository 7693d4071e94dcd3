// Defines how the chat asks for the result of a call that a person or a script answers.
import type { Json, ToolCall } from '../../index.js';
import type { ToolDraft } from '../state/playground-document.js';

/** A call that waits for its result. */
export interface OpenCall {
  call: ToolCall;
  tool: ToolDraft;
  /** Aborts when the user stops the answer. */
  signal: AbortSignal;
}

/** The card of a call, which the chat shows below the arguments, and the result. A rejection becomes `{ error }`. */
export interface DrawnCall {
  element: HTMLElement;
  result: Promise<Json>;
}

/** Draws the card of a call: web/playground/chat/tools implements it. */
export type DrawCall = (open: OpenCall) => DrawnCall;
