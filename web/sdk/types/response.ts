// Streamed answers: the events they emit and the answer they end in.
import type { Json } from './json.js';

/** Token counts of an answer, as the API reports them in `usageMetadata`. */
export type Usage = { [key: string]: Json };

/** How an answer is read. */
export interface ResponseOptions {
  /** Takes secrets out of what an error in the answer says: `(text) => client.redact(text)`. */
  redact?: (text: string) => string;
}

/** Puts one answer together from network bytes, in any cuts. */
export interface ResponseAssembler extends Disposable {
  push(bytes: Uint8Array): StreamEvent[];
  /** One Content, parts and signatures as they came. Throws `GeminiError`, with what was received in `partial`, if the answer was cut, blocked or refused. */
  finish(): Answer;
}

/** A whole answer. `content` is null where the API sent none. */
export interface Answer {
  content: Uint8Array | null;
  finishReason: string;
  usage: { [key: string]: Json };
  /** All fields of the response, the last word of each where several chunks told it. */
  response: Json;
}

/** An error as the API wrote it; `retryAfterMs` is the RetryInfo's delay. */
export interface ApiError {
  code: number;
  status: string;
  message: string;
  retryAfterMs?: number;
}

/** What `push` gives: small, in the order of the bytes. */
export type StreamEvent =
  | { type: 'text' | 'thought'; text: string }
  | { type: 'functionCall'; name: string; id?: string; args: Json }
  | { type: 'part'; part: Json }
  | { type: 'usage'; usage: { [key: string]: Json } }
  | { type: 'metadata'; metadata: { [key: string]: Json } }
  | { type: 'error'; error: ApiError };
