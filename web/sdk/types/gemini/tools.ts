// Declares the tools of a request: function declarations with their schemas, the tools that the API runs, and their
// configuration.
import type { OpenEnum } from './contents.js';

/**
 * An element of a request's `tools`: functions, or one of the API's own tools. The API's reference calls it `Tool`.
 *
 * @see https://ai.google.dev/api/caching#Tool
 *
 * @example
 * const tools: ApiTool[] = [{ googleSearch: {} }, { urlContext: {} }];
 */
export interface ApiTool {
  functionDeclarations?: readonly FunctionDeclaration[];
  /** Searches the web with Google. */
  googleSearch?: GoogleSearch;
  /** The search tool of Gemini 1.5. Use `googleSearch`. */
  googleSearchRetrieval?: GoogleSearchRetrieval;
  /** Runs Python that the model writes. It has no options: `{}`. */
  codeExecution?: object;
  /** Reads the pages whose URLs are in the prompt. It has no options: `{}`. */
  urlContext?: object;
  /** Searches files that you have uploaded. */
  fileSearch?: FileSearch;
  /** Knows places. */
  googleMaps?: GoogleMaps;
  /** Operates a browser or a computer through functionCalls. */
  computerUse?: ComputerUse;
  /** MCP servers that the API calls. `McpServer` of prompt-strata/mcp calls them from here. */
  mcpServers?: readonly RemoteMcpServer[];
  /** Searches your own data. Vertex AI only. */
  retrieval?: object;
  /** Searches the web without storing queries. Vertex AI only. */
  enterpriseWebSearch?: EnterpriseWebSearch;
  /** Searches the web with Exa. Vertex AI only. */
  exaAiSearch?: PartnerSearch;
  /** Searches the web with Parallel. Vertex AI only. */
  parallelAiSearch?: PartnerSearch;
}

/** Options of the tool `googleSearch`. */
export interface GoogleSearch {
  /** Only pages of this time. */
  timeRangeFilter?: { startTime?: string; endTime?: string };
  /** What to search. Default: pages only. */
  searchTypes?: { webSearch?: object; imageSearch?: object };
  /** Domains to leave out. Vertex AI only. */
  excludeDomains?: readonly string[];
  /** From which confidence on pages are left out as unsafe. Vertex AI only. */
  blockingConfidence?: OpenEnum<
    | 'BLOCK_LOW_AND_ABOVE'
    | 'BLOCK_MEDIUM_AND_ABOVE'
    | 'BLOCK_HIGH_AND_ABOVE'
    | 'BLOCK_HIGHER_AND_ABOVE'
    | 'BLOCK_VERY_HIGH_AND_ABOVE'
    | 'BLOCK_ONLY_EXTREMELY_HIGH'
  >;
}

/** Options of the tool `googleSearchRetrieval`. */
export interface GoogleSearchRetrieval {
  dynamicRetrievalConfig?: {
    mode?: OpenEnum<'MODE_UNSPECIFIED' | 'MODE_DYNAMIC'>;
    dynamicThreshold?: number;
  };
}

/** Options of the tool `fileSearch`. */
export interface FileSearch {
  /** `fileSearchStores/…` */
  fileSearchStoreNames?: readonly string[];
  metadataFilter?: string;
  topK?: number;
}

/** Options of the tool `googleMaps`. */
export interface GoogleMaps {
  /** Whether the answer has a token for a map widget. */
  enableWidget?: boolean;
}

/** Options of the tool `computerUse`. */
export interface ComputerUse {
  environment?: OpenEnum<
    'ENVIRONMENT_UNSPECIFIED' | 'ENVIRONMENT_BROWSER' | 'ENVIRONMENT_MOBILE' | 'ENVIRONMENT_DESKTOP'
  >;
  /** Names of predefined functions that the model may not call. */
  excludedPredefinedFunctions?: readonly string[];
  enablePromptInjectionDetection?: boolean;
}

/** An MCP server that the API calls. */
export interface RemoteMcpServer {
  name?: string;
  streamableHttpTransport?: {
    url?: string;
    headers?: { [name: string]: string };
    /** Durations such as `30s`. */
    timeout?: string;
    sseReadTimeout?: string;
    terminateOnClose?: boolean;
  };
}

/** Options of the tool `enterpriseWebSearch`. */
export interface EnterpriseWebSearch {
  /** Domains to leave out. */
  excludeDomains?: readonly string[];
  blockingConfidence?: GoogleSearch['blockingConfidence'];
}

/** Options of the tools `exaAiSearch` and `parallelAiSearch`. */
export interface PartnerSearch {
  apiKey?: string;
  customConfigs?: object;
}

/**
 * Declares a function that the model may call.
 *
 * @see https://ai.google.dev/api/caching#FunctionDeclaration
 */
export interface FunctionDeclaration {
  /** At most 64 characters: letters, digits, `_`, `.`, `:` and `-`. The first is a letter or `_`. */
  name?: string;
  /** What the function does, and when to call it. */
  description?: string;
  /** The arguments in the API's schema dialect. Set this or `parametersJsonSchema`. */
  parameters?: Schema;
  /** The arguments as JSON Schema. `Strata.schema` returns the form that a model takes. */
  parametersJsonSchema?: unknown;
  /** The result in the API's schema dialect. Set this or `responseJsonSchema`. */
  response?: Schema;
  /** The result as JSON Schema. */
  responseJsonSchema?: unknown;
  /** Whether the conversation waits for the result. Only for the Live API. */
  behavior?: OpenEnum<'UNSPECIFIED' | 'BLOCKING' | 'NON_BLOCKING'>;
}

/** The type of a value in a `Schema`. Lower case is accepted as well. */
export type SchemaType = OpenEnum<
  'TYPE_UNSPECIFIED' | 'STRING' | 'NUMBER' | 'INTEGER' | 'BOOLEAN' | 'ARRAY' | 'OBJECT' | 'NULL'
>;

/**
 * A schema in the API's own dialect, a subset of OpenAPI 3.0. For JSON Schema use `parametersJsonSchema` and
 * `responseJsonSchema`.
 *
 * @see https://ai.google.dev/api/caching#Schema
 *
 * @example
 * const parameters: Schema = {
 *   type: 'OBJECT',
 *   properties: { city: { type: 'STRING', description: 'Such as Paris' } },
 *   required: ['city'],
 * };
 */
export interface Schema {
  type?: SchemaType;
  title?: string;
  description?: string;
  /** Such as `date-time`, `enum`, `int32`, `int64`, `float`, `double`. */
  format?: string;
  nullable?: boolean;
  /** The values of a STRING. */
  enum?: readonly string[];
  items?: Schema;
  properties?: { readonly [name: string]: Schema };
  /** The names of properties that must be present. */
  required?: readonly string[];
  /** The order in which the model writes properties. */
  propertyOrdering?: readonly string[];
  anyOf?: readonly Schema[];
  minimum?: number;
  maximum?: number;
  /** The API writes 64-bit integers as strings, and reads numbers as well. */
  minItems?: number | string;
  maxItems?: number | string;
  minLength?: number | string;
  maxLength?: number | string;
  minProperties?: number | string;
  maxProperties?: number | string;
  /** A regular expression. */
  pattern?: string;
  /** Documents the value; the model does not use it by itself. */
  default?: unknown;
  example?: unknown;
  /** Whether properties without a schema are allowed, or their schema. Vertex AI only. */
  additionalProperties?: boolean | Schema;
  /** Refers to one of `defs`. Vertex AI only. */
  ref?: string;
  /** Schemas for `ref`. Vertex AI only. */
  defs?: { readonly [name: string]: Schema };
}

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
