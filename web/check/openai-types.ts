// Defines what the gateway's core offers for OpenAI's chat completions.
import type { Backend } from '../sdk/types/model.js';
import type { Diagnostic } from '../sdk/types/diagnostic.js';

/** Where a converted request goes. */
export interface OpenAiRequestOptions {
  /** In place of the request's model. */
  model?: string;
  /** Default: `gemini`. */
  backend?: Backend;
  /** RFC 3339: which rows of models hold. Default: the date of the release. */
  now?: string;
}

/** A chat completion request in Gemini's form. */
export interface OpenAiRequest {
  /** The body of generateContent. */
  body: Uint8Array;
  /** The model's name, without a path. */
  model: string;
  stream: boolean;
  /** Whether the stream ends with a chunk that holds the usage. */
  includeUsage: boolean;
  /** The functions whose names Gemini refuses: the client's names by those in the body. Pass it to `openAiAnswer`. */
  names: Record<string, string>;
  /** What was changed or left out. Paths point into the given request. */
  diagnostics: Diagnostic[];
}

/** What an answer says about itself. */
export interface OpenAiAnswerOptions {
  /** Of the completion. The ids of calls that Google gave none depend on it. */
  id: string;
  /** In seconds since 1970. */
  created: number;
  /** As the client named it. */
  model: string;
  stream: boolean;
  /** Default: false. */
  includeUsage?: boolean;
  /** Of the request: the names that calls get, by those that Gemini knows. Default: their own names. */
  names?: Record<string, string>;
}

/** Converts one answer of generateContent or streamGenerateContent. */
export interface OpenAiAnswer extends Disposable {
  /**
   * Reads the next bytes, split at any position. Returns the bytes to send on: server-sent events of a stream, nothing
   * otherwise.
   *
   * @throws ReferenceError after `end`
   */
  push(bytes: Uint8Array): Uint8Array;
  /**
   * Returns the end of a stream, or the whole completion. A stream that failed ends with an error event.
   *
   * @throws GeminiError for a whole answer that is an error, is incomplete, or is not JSON; ReferenceError if it was
   *   called before
   */
  end(): Uint8Array;
}

/** Converts requests and answers of OpenAI's chat completions. */
export interface OpenAiDialect {
  /**
   * Converts a request.
   *
   * @throws HistoryError for a request that is not JSON or has no equivalent; the path of its diagnostic points into
   *   the request
   */
  openAiRequest(body: Uint8Array, options?: OpenAiRequestOptions): OpenAiRequest;
  /**
   * Starts an answer.
   *
   * @throws StrataError `field.invalid` for a wrong option
   */
  openAiAnswer(options: OpenAiAnswerOptions): OpenAiAnswer;
}
