// Defines an element of a request's `tools`. The API's reference calls this shape Tool; here `Tool` is an element of
// a Conversation's option `tools`.
import type { FunctionDeclaration } from './function-declaration.js';
import type { OpenEnum } from './open-enum.js';

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
