// One request of a file: its body, and where it is located in the file.
import type { Backend } from '../index.js';
import type { Source } from './source.js';

/** The kind of body: a generation request or a CachedContent. */
export type Kind = 'generate' | 'cache';

/** One request of a file. */
export interface Request {
  source: Source;
  /** The bytes of the body. */
  body: Uint8Array;
  /** The byte offset of the body in the file. */
  start: number;
  /** The body is inside a JSON string of the file. All positions in it are reported as the start of the string. */
  quoted?: boolean;
  /** Set if the file contains only Contents: the number of bytes added before and after them. */
  wrapped?: { before: number; after: number };
  /** Names the request, if the file has several. */
  label?: string;
  model?: string;
  backend?: Backend;
  kind: Kind;
}
