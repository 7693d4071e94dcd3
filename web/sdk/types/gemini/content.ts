// Defines the Content of the Gemini API.
import type { OpenEnum } from './open-enum.js';
import type { Part, PartInput } from './part.js';

/**
 * One turn of a conversation: what the user or the model said, in Parts.
 *
 * @see https://ai.google.dev/api/caching#Content
 *
 * @example
 * const content: Content = { role: 'user', parts: [{ text: 'Hello' }] };
 */
export interface Content {
  /** Who wrote it: `user`, also for functionResponses, or `model`. */
  role?: OpenEnum<'user' | 'model'>;
  /** The Parts, in order. An answer that is cut off may have none. */
  parts?: Part[];
}

/** A Content to send. The data of its media may also be bytes. Every `Content` is one. */
export interface ContentInput extends Omit<Content, 'parts'> {
  parts?: readonly PartInput[];
}
