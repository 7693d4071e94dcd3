// Defines how the model uses tools.
import type { OpenEnum } from './open-enum.js';

/**
 * How the model uses the tools of a request.
 *
 * @see https://ai.google.dev/api/caching#ToolConfig
 */
export interface ToolConfig {
  functionCallingConfig?: FunctionCallingConfig;
  retrievalConfig?: RetrievalConfig;
  /**
   * Whether answers hold the calls of the API's own tools (`toolCall`, `toolResponse`). Gemini 3 requires it for
   * requests with both functions and the API's own tools. Gemini API only.
   */
  includeServerSideToolInvocations?: boolean;
}

/**
 * Whether and which functions the model calls.
 *
 * @see https://ai.google.dev/api/caching#FunctionCallingConfig
 */
export interface FunctionCallingConfig {
  /**
   * `AUTO` (default): the model decides. `ANY`: it must call a function. `NONE`: it calls none. `VALIDATED`: it
   * decides, and calls fit their schema.
   */
  mode?: OpenEnum<'MODE_UNSPECIFIED' | 'AUTO' | 'ANY' | 'NONE' | 'VALIDATED'>;
  /** The only functions to call. Requires the mode `ANY` or `VALIDATED`. */
  allowedFunctionNames?: readonly string[];
  /** Whether arguments are streamed in pieces, as `partialArgs`. Vertex AI only. */
  streamFunctionCallArguments?: boolean;
}

/**
 * Where the user is, for searches and maps.
 *
 * @see https://ai.google.dev/api/caching#RetrievalConfig
 */
export interface RetrievalConfig {
  latLng?: { latitude?: number; longitude?: number };
  /** A BCP-47 code. */
  languageCode?: string;
}
