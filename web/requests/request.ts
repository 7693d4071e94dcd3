// A file in which requests are found, and positions in it.
import type { Backend } from '../index.js';
import type { Characters, WrittenString } from './written-string.js';

/** A file and its bytes. */
export interface Source {
  /** The name as given on the command line; `<stdin>` for standard input. */
  name: string;
  bytes: Uint8Array;
}

/** A position in a file. Both numbers start at 1; columns are in UTF-16 code units, as in editors. */
export interface Place {
  line: number;
  column: number;
}

/** The kind of body: a generation request or a CachedContent. */
export type Kind = 'generate' | 'cache';

/** An API whose bodies are recognized. */
export type OtherApi = 'interactions' | 'openai' | 'responses' | 'anthropic' | 'bedrock';

/** How a body is written inside a string of the file. */
interface QuotedBody {
  /** The characters of the string before the body. */
  skipped: number;
  /** Reads the string in the file's text, which is `decodeDocument(source.bytes)`. */
  read(document: string): WrittenString;
}

/** One request of a file. */
export interface Request {
  source: Source;
  /** The bytes of the body. */
  body: Uint8Array;
  /** The byte offset of the body in the file; 0 if it is inside a string. */
  start: number;
  /** Set if the body is inside a string of the file. */
  quoted?: QuotedBody;
  /** Set if the file contains only Contents, messages or steps: the number of bytes added before and after them. */
  wrapped?: { before: number; after: number };
  /** Names the request, if the file has several. */
  label?: string;
  model?: string;
  backend?: Backend;
  /** The API for which the body was written, if that is not generateContent. */
  api?: OtherApi;
  /** The version that an Interactions request asks for, if it is not `v1beta`. */
  apiVersion?: 'v1';
  kind: Kind;
  /** The answer that a HAR file has: its status, and its text if that is not a success. */
  answer?: { status: number; text: string };
  /** What a shell computes in the body when the command runs, in UTF-16 offsets. */
  computed?: readonly Characters[];
  /** Set if the command calls another API, whose body may still be OpenAI messages. */
  skipped?: SkippedRequest;
}

/** Why a part of a text has no request, in UTF-16 offsets of the text. */
export interface SkippedRequest {
  message: string;
  from: number;
  to: number;
}

/** The form of a file. */
export type Form =
  'body' | 'contents' | 'jsonl' | 'har' | 'curl' | 'powershell' | 'javascript' | 'python';

/** The requests of a file, in order, and what could not be read in it. */
export interface FoundRequests {
  form: Form;
  requests: Request[];
  notes: SkippedRequest[];
}

/** A text has no requests that can be read. The message says why. */
export class NoRequestsError extends Error {
  override name = 'NoRequestsError';
}
