// Defines a call of a declared function.

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
