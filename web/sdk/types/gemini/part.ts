// Defines the Part of the Gemini API.
import type { Transcription } from './transcription.js';
import type { CodeExecutionResult, ExecutableCode } from './code-execution.js';
import type { FileData } from './file-data.js';
import type { FunctionCall } from './function-call.js';
import type { FunctionResponse, FunctionResponseInput } from './function-response.js';
import type { InlineData, InlineDataInput } from './inline-data.js';
import type { PartMediaResolution } from './media-resolution.js';
import type { ServerToolCall, ServerToolResponse } from './server-tool.js';
import type { VideoMetadata } from './video-metadata.js';

/**
 * A piece of a Content. One member holds its data: `text`, `functionCall`, `inlineData`… The others describe it.
 *
 * @see https://ai.google.dev/api/caching#Part
 *
 * @example
 * const parts: Part[] = [{ text: 'What is this?' }, { fileData: { fileUri: file.uri } }];
 */
export interface Part {
  text?: string;
  functionCall?: FunctionCall;
  functionResponse?: FunctionResponse;
  inlineData?: InlineData;
  fileData?: FileData;
  executableCode?: ExecutableCode;
  codeExecutionResult?: CodeExecutionResult;
  /** A call of one of the API's own tools, which nobody else runs. Send it back unchanged. */
  toolCall?: ServerToolCall;
  /** The result of a `toolCall`. Send it back unchanged. */
  toolResponse?: ServerToolResponse;
  /** What was said in an audio input. Only in answers. */
  audioTranscription?: Transcription;
  /** Whether the Part is a summary of the model's thoughts. */
  thought?: boolean;
  /**
   * An opaque signature of the model's thoughts, base64. Send it back in the same Part, unchanged.
   *
   * @see https://ai.google.dev/gemini-api/docs/thought-signatures
   */
  thoughtSignature?: string;
  /** Which section of a video to use. Requires `inlineData` or `fileData`. */
  videoMetadata?: VideoMetadata;
  /** How many tokens an image or a video takes. Gemini 3 and newer. */
  mediaResolution?: PartMediaResolution;
  /** How the API reads the file of a `fileData`. New values may come. */
  mediaProcessing?: 'MEDIA_PROCESSING_UNSPECIFIED' | 'STATIC' | 'AGENTIC';
  /** Who speaks this text, and how. Models for speech from Gemini 3.8 on. */
  speechMetadata?: { speaker?: string; [name: string]: unknown };
  /** Values of your own, which the model does not see. Gemini API only. */
  partMetadata?: { [name: string]: unknown };
}

/** A Part to send. The data of media may also be bytes, which are sent as base64. Every `Part` is one. */
export interface PartInput extends Omit<Part, 'inlineData' | 'functionResponse'> {
  inlineData?: InlineDataInput;
  functionResponse?: FunctionResponseInput;
}
