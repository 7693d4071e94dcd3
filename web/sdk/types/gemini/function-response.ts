// Defines the result of a declared function.
import type { FileData } from './file-data.js';
import type { InlineData, InlineDataInput } from './inline-data.js';
import type { OpenEnum } from './open-enum.js';

/**
 * The result of a functionCall.
 *
 * @see https://ai.google.dev/api/caching#FunctionResponse
 */
export interface FunctionResponse {
  name?: string;
  /** The id of the functionCall, if it has one. */
  id?: string;
  /** The result. By convention its key is `output`, or `error` for a failure. */
  response?: { [name: string]: unknown };
  /** Media of the result. Gemini 3 and newer. */
  parts?: FunctionResponsePart[];
  /** Whether more responses to this call follow. Only for functions with `behavior: 'NON_BLOCKING'`. */
  willContinue?: boolean;
  /** When the model reacts to the response. Only for functions with `behavior: 'NON_BLOCKING'`. */
  scheduling?: OpenEnum<'SCHEDULING_UNSPECIFIED' | 'SILENT' | 'WHEN_IDLE' | 'INTERRUPT'>;
}

/**
 * Media of a functionResponse.
 *
 * @see https://ai.google.dev/api/caching#FunctionResponsePart
 */
export interface FunctionResponsePart {
  inlineData?: InlineData;
  /** Vertex AI only. */
  fileData?: FileData;
}

/** A `FunctionResponse` to send. The data of its media may also be bytes. */
export interface FunctionResponseInput extends Omit<FunctionResponse, 'parts'> {
  parts?: readonly FunctionResponsePartInput[];
}

/** A `FunctionResponsePart` to send, whose data may also be bytes. */
export interface FunctionResponsePartInput extends Omit<FunctionResponsePart, 'inlineData'> {
  inlineData?: InlineDataInput;
}
