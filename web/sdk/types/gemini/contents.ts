// Declares Contents and their Parts: texts, media, function calls and responses, code, and the API's own tool calls.

/**
 * An enum of the API. Editors suggest the known names; any other string is allowed, because the API adds names at
 * any time.
 */
export type OpenEnum<Known extends string> = Known | (string & {});

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

/**
 * Media bytes inside a request or an answer: an image, audio, a PDF… The API's reference calls it `Blob`.
 *
 * @see https://ai.google.dev/api/caching#Blob
 */
export interface InlineData {
  /** The IANA media type, such as `image/png`. */
  mimeType?: string;
  /** The bytes, base64. */
  data?: string;
  /** A name that the `response` of a functionResponse refers to with `{ "$ref": name }`. */
  displayName?: string;
}

/** An `InlineData` to send, whose data may also be bytes. */
export interface InlineDataInput extends Omit<InlineData, 'data'> {
  data?: string | Uint8Array;
}

/**
 * Media that the API reads from a URI: of the Files API, of YouTube, or of the web.
 *
 * @see https://ai.google.dev/api/caching#FileData
 */
export interface FileData {
  fileUri?: string;
  /** The IANA media type, such as `application/pdf`. */
  mimeType?: string;
  /** A name that the `response` of a functionResponse refers to. Vertex AI only. */
  displayName?: string;
}

/**
 * The section and the frame rate of a video.
 *
 * @see https://ai.google.dev/api/caching#VideoMetadata
 */
export interface VideoMetadata {
  /** Where the section begins and ends, such as `10s`. */
  startOffset?: string;
  endOffset?: string;
  /** Frames per second, more than 0 and at most 24. Default: 1. */
  fps?: number;
}

/**
 * The resolution of all media of a request.
 *
 * @see https://ai.google.dev/api/generate-content#MediaResolution
 */
export type MediaResolution = OpenEnum<
  | 'MEDIA_RESOLUTION_UNSPECIFIED'
  | 'MEDIA_RESOLUTION_LOW'
  | 'MEDIA_RESOLUTION_MEDIUM'
  | 'MEDIA_RESOLUTION_HIGH'
>;

/**
 * The resolution of one Part.
 *
 * @see https://ai.google.dev/gemini-api/docs/media-resolution
 */
export interface PartMediaResolution {
  level?: MediaResolution | 'MEDIA_RESOLUTION_ULTRA_HIGH';
  /** The number of tokens, instead of a level. */
  numTokens?: number;
}

/**
 * The model's call of a declared function. `ToolCall` is what a tool of a Conversation receives.
 *
 * @see https://ai.google.dev/api/caching#FunctionCall
 */
export interface FunctionCall {
  name?: string;
  /** Identifies the call; its functionResponse has the same id. Gemini 3 and newer. */
  id?: string;
  /** The arguments by name. */
  args?: { [name: string]: unknown };
  /** Pieces of the arguments, with `streamFunctionCallArguments`. Vertex AI only. */
  partialArgs?: PartialArg[];
  /** Whether more pieces of this call follow. Vertex AI only. */
  willContinue?: boolean;
}

/**
 * A piece of a functionCall's arguments. It has one of the four values.
 *
 * @see https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/function-calling
 */
export interface PartialArg {
  /** Where the value belongs, RFC 9535: `$.foo.bar[0].data`. */
  jsonPath?: string;
  stringValue?: string;
  numberValue?: number;
  boolValue?: boolean;
  nullValue?: 'NULL_VALUE';
  /** Whether more pieces of this value follow. */
  willContinue?: boolean;
}

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

/**
 * Code that the model wrote and the API ran. Send it back unchanged.
 *
 * @see https://ai.google.dev/api/caching#ExecutableCode
 */
export interface ExecutableCode {
  id?: string;
  language?: OpenEnum<'LANGUAGE_UNSPECIFIED' | 'PYTHON'>;
  code?: string;
}

/**
 * The result of an `ExecutableCode`. Send it back unchanged.
 *
 * @see https://ai.google.dev/api/caching#CodeExecutionResult
 */
export interface CodeExecutionResult {
  /** The `id` of the ExecutableCode. */
  id?: string;
  outcome?: OpenEnum<
    'OUTCOME_UNSPECIFIED' | 'OUTCOME_OK' | 'OUTCOME_FAILED' | 'OUTCOME_DEADLINE_EXCEEDED'
  >;
  /** What the code printed, or why it failed. */
  output?: string;
}

/** One of the API's own tools. */
export type ServerToolType = OpenEnum<
  | 'TOOL_TYPE_UNSPECIFIED'
  | 'GOOGLE_SEARCH_WEB'
  | 'GOOGLE_SEARCH_IMAGE'
  | 'URL_CONTEXT'
  | 'GOOGLE_MAPS'
  | 'FILE_SEARCH'
>;

/**
 * A call of one of the API's own tools. The API's reference calls it `ToolCall`.
 *
 * @see https://ai.google.dev/api/caching#ToolCall
 */
export interface ServerToolCall {
  id?: string;
  toolType?: ServerToolType;
  args?: { [name: string]: unknown };
}

/**
 * The result of a `ServerToolCall`. The API's reference calls it `ToolResponse`.
 *
 * @see https://ai.google.dev/api/caching#ToolResponse
 */
export interface ServerToolResponse {
  /** The `id` of the call. */
  id?: string;
  toolType?: ServerToolType;
  response?: { [name: string]: unknown };
}

/**
 * What was said in an audio input.
 *
 * @see https://ai.google.dev/api/live#BidiGenerateContentTranscription
 */
export interface Transcription {
  text?: string;
  /** Whether no more text follows. */
  finished?: boolean;
  /** A BCP-47 code. */
  languageCode?: string;
  /** The speaker, with `audioTranscriptionConfig.diarization`. */
  speakerLabel?: string;
  /** When the text begins and ends, such as `1.5s`. */
  startOffset?: string;
  endOffset?: string;
}
