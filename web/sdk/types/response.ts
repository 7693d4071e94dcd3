// Defines the events of a streamed answer and the complete answer.
import './platform.js'; // Disposable
import type { ErrorCode } from './codes.js';
import type {
  Candidate,
  FinishReason,
  GenerateContentResponse,
  UsageMetadata,
} from './gemini/response.js';
import type { Part } from './gemini/contents.js';
import type { Step } from './gemini/steps.js';
import type { ToolCall } from './tool.js';
import type { Wire } from './wire.js';

/** Options of `Strata.response`. */
export interface ResponseOptions {
  /** Removes secrets from errors, e.g. `(text) => client.redact(text)`. What an answer says stays as it is. */
  redact?: (text: string) => string;
  /**
   * The API that answers. An answer of the Interactions API is read as a Content, and its `status` as a finishReason;
   * `Thread.appendAnswer` keeps its steps. Default: `generateContent`.
   */
  wire?: Wire;
}

/**
 * Assembles one answer from network bytes that may be split at arbitrary byte positions.
 *
 * @example
 * using assembler = strata.response();
 * const show = (events: StreamEvent[]) => {
 *   for (const event of events) if (event.type === 'text') print(event.text);
 * };
 * for await (const bytes of response.body) show(assembler.push(bytes));
 * show(assembler.end());
 * thread.appendAnswer(assembler);
 */
export interface ResponseAssembler extends Disposable {
  /**
   * Takes the next bytes and returns the events in them.
   *
   * @throws ReferenceError after `finish`, `Thread.appendAnswer` or dispose
   */
  push(bytes: Uint8Array): StreamEvent[];
  /**
   * Ends the response and returns the events that its end completes, such as those of a last event without a blank line.
   * `push` then takes the bytes of the response that continues the answer.
   *
   * @throws ReferenceError after `finish`, `Thread.appendAnswer` or dispose
   */
  end(): StreamEvent[];
  /**
   * Returns a copy of the Content so far: what `finish` would return, or its error hold as `partial`, if the response
   * ended here. Undefined if no Part has come. Nothing ends: bytes may follow, and it can be called any number of times,
   * also after `finish`. It reads the whole answer so far.
   *
   * @throws ReferenceError after `Thread.appendAnswer` or dispose
   *
   * @example
   * for await (const bytes of response.body) {
   *   assembler.push(bytes);
   *   await backup(assembler.content());
   * }
   */
  content(): Uint8Array | undefined;
  /**
   * Returns the answer as one Content, with parts and signatures unchanged, and says what it is. `Thread.appendAnswer`
   * still takes it.
   *
   * @throws GeminiError if the answer was cut off, blocked or an error; `partial` holds what was received
   * @throws ReferenceError after `Thread.appendAnswer` or dispose
   */
  finish(options?: FinishOptions): Answer;
}

/** Options of `ResponseAssembler.finish`. */
export interface FinishOptions {
  /** The request ended with functionResponses, after which an empty answer is no fault. Default: false. */
  afterResponses?: boolean;
}

/** What a complete answer is. */
export interface AnswerClass {
  /** `data`: no text, but an image, code, or a Part of an unknown kind. The kinds after it are faults. */
  kind:
    | 'calls'
    | 'text'
    | 'data'
    | 'cut'
    | 'malformed_call'
    | 'unexpected_call'
    | 'max_tokens'
    | 'safety'
    | 'recitation'
    | 'other'
    | 'thoughts_only'
    | 'empty';
  /** Whether the Content holds nothing but empty, unsigned texts, so that it is not worth a turn. */
  blank: boolean;
  /** All texts without thoughts, joined. */
  text: string;
  calls: ToolCall[];
  /** Why the answer cannot be used, if so: an error of docs/diagnostics.md. */
  fault?: { code: ErrorCode; message: string };
}

/** A complete answer. */
export interface Answer extends AnswerClass {
  /** One Content, JSON; null if the API sent no parts. */
  content: Uint8Array | null;
  finishReason: FinishReason;
  usage: UsageMetadata;
  /** All fields of the response except the Content. If several chunks hold a field, the last value is used. */
  response: GenerateContentResponse;
}

/** Fields of a response and of its candidate, besides the Content and the token counts. */
export interface ResponseMetadata
  extends
    Omit<GenerateContentResponse, 'candidates' | 'usageMetadata'>,
    Omit<Candidate, 'content'> {}

/** An error that the API sent within a stream. `retryAfterMs` is the delay in its `google.rpc.RetryInfo`. */
export interface ApiError {
  code: number;
  status: string;
  message: string;
  retryAfterMs?: number;
}

/** An event of a streamed answer, token counts aside. */
export type AnswerEvent =
  | { type: 'text' | 'thought'; text: string }
  | { type: 'functionCall'; name: string; id?: string; args: ToolCall['args'] }
  /** Any other Part. */
  | { type: 'part'; part: Part }
  /** Any other step of an answer of the Interactions API. */
  | { type: 'step'; step: Step }
  /** Other fields of the response that are new or changed. */
  | { type: 'metadata'; metadata: ResponseMetadata }
  | { type: 'error'; error: ApiError };

/** An event of a streamed answer. Events are in the order of the bytes, token counts at the end of each `push`. */
export type StreamEvent =
  | AnswerEvent
  /** The token counts of the answer so far; each replaces the one before. A Conversation emits the last one only. */
  | { type: 'usage'; usage: UsageMetadata };
