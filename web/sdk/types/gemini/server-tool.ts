// Defines calls of the API's own tools, which appear with toolConfig.includeServerSideToolInvocations. The API's
// reference calls these shapes ToolCall and ToolResponse; here those are calls of your own tools.
import type { OpenEnum } from './open-enum.js';

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
