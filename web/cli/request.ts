// One request of a file: its body, and where it is located in the file.
import type { Backend } from '../index.js';
import type { Source } from './source.js';

/** What kind of body a request has: that of a cache differs from that of a generation. */
export type Kind = 'generate' | 'cache';

/** One request of a file. */
export interface Request {
  source: Source;
  /** The body, to the byte. */
  body: Uint8Array;
  /** Where the body starts in the file. */
  start: number;
  /** The body is text inside a JSON string of the file: places in it are told as the string's. */
  quoted?: boolean;
  /** The file holds only the contents: these are the bytes that were put around them. */
  wrapped?: { before: number; after: number };
  /** Which of the file's requests this is, where it has several. */
  label?: string;
  model?: string;
  backend?: Backend;
  kind: Kind;
}
