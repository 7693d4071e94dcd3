// Declares what generateContent answers: candidates, why they ended, what grounds them, and what they used.
import type { OpenEnum, Content } from './contents.js';
import type { SafetyRating, ServiceTier } from './request.js';

/**
 * The response of generateContent, and each chunk of streamGenerateContent.
 *
 * @see https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse
 */
export interface GenerateContentResponse {
  /** Missing if the prompt was blocked. */
  candidates?: Candidate[];
  promptFeedback?: PromptFeedback;
  usageMetadata?: UsageMetadata;
  /** The model that answered. */
  modelVersion?: string;
  /** Identifies the response, for support requests. */
  responseId?: string;
  modelStatus?: ModelStatus;
  /** When the request arrived. Vertex AI only. */
  createTime?: string;
}

/**
 * Whether the prompt was blocked.
 *
 * @see https://ai.google.dev/api/generate-content#PromptFeedback
 */
export interface PromptFeedback {
  blockReason?: BlockReason;
  /** Vertex AI only. */
  blockReasonMessage?: string;
  safetyRatings?: SafetyRating[];
}

/**
 * Whether the model will be retired.
 *
 * @see https://ai.google.dev/api/generate-content#ModelStatus
 */
export interface ModelStatus {
  message?: string;
  modelStage?: OpenEnum<
    | 'MODEL_STAGE_UNSPECIFIED'
    | 'UNSTABLE_EXPERIMENTAL'
    | 'EXPERIMENTAL'
    | 'PREVIEW'
    | 'STABLE'
    | 'LEGACY'
    | 'DEPRECATED'
    | 'RETIRED'
  >;
  /** RFC 3339. */
  retirementTime?: string;
}

/**
 * One answer of a response.
 *
 * @see https://ai.google.dev/api/generate-content#v1beta.Candidate
 */
export interface Candidate {
  content?: Content;
  /** Missing while the answer streams. */
  finishReason?: FinishReason;
  finishMessage?: string;
  index?: number;
  safetyRatings?: SafetyRating[];
  citationMetadata?: CitationMetadata;
  groundingMetadata?: GroundingMetadata;
  urlContextMetadata?: UrlContextMetadata;
  tokenCount?: number;
  avgLogprobs?: number;
  logprobsResult?: LogprobsResult;
  /** Continues the answer in another request, if the finishReason is `CONTINUATION`. A Conversation does so. */
  continuationToken?: string;
}

/**
 * Texts that the answer quotes.
 *
 * @see https://ai.google.dev/api/generate-content#CitationMetadata
 */
export interface CitationMetadata {
  /** The Gemini API's name of the list. */
  citationSources?: Citation[];
  /** Vertex AI's name of the list. */
  citations?: Citation[];
}

/** A text that the answer quotes. The offsets are bytes. */
export interface Citation {
  startIndex?: number;
  endIndex?: number;
  uri?: string;
  license?: string;
  title?: string;
}

/**
 * The pages that the tool `urlContext` read.
 *
 * @see https://ai.google.dev/api/generate-content#UrlContextMetadata
 */
export interface UrlContextMetadata {
  urlMetadata?: {
    retrievedUrl?: string;
    urlRetrievalStatus?: OpenEnum<
      | 'URL_RETRIEVAL_STATUS_UNSPECIFIED'
      | 'URL_RETRIEVAL_STATUS_SUCCESS'
      | 'URL_RETRIEVAL_STATUS_ERROR'
      | 'URL_RETRIEVAL_STATUS_PAYWALL'
      | 'URL_RETRIEVAL_STATUS_UNSAFE'
    >;
  }[];
}

/**
 * The log probabilities of the answer's tokens, with `responseLogprobs`.
 *
 * @see https://ai.google.dev/api/generate-content#LogprobsResult
 */
export interface LogprobsResult {
  chosenCandidates?: LogprobsCandidate[];
  topCandidates?: { candidates?: LogprobsCandidate[] }[];
  logProbabilitySum?: number;
}

/** The log probability of one token. */
export interface LogprobsCandidate {
  token?: string;
  tokenId?: number;
  logProbability?: number;
}

/**
 * Why an answer ended. docs/conversation.md says which ones a Conversation treats as faults.
 *
 * @see https://ai.google.dev/api/generate-content#FinishReason
 */
export type FinishReason = OpenEnum<
  | 'FINISH_REASON_UNSPECIFIED'
  | 'STOP'
  | 'MAX_TOKENS'
  | 'SAFETY'
  | 'RECITATION'
  | 'LANGUAGE'
  | 'OTHER'
  | 'BLOCKLIST'
  | 'PROHIBITED_CONTENT'
  | 'SPII'
  | 'MALFORMED_FUNCTION_CALL'
  | 'MALFORMED_RESPONSE'
  | 'MISSING_THOUGHT_SIGNATURE'
  | 'UNEXPECTED_TOOL_CALL'
  | 'TOO_MANY_TOOL_CALLS'
  | 'IMAGE_SAFETY'
  | 'IMAGE_PROHIBITED_CONTENT'
  | 'IMAGE_RECITATION'
  | 'IMAGE_OTHER'
  | 'NO_IMAGE'
  | 'CONTINUATION'
>;

/**
 * Why a prompt was blocked.
 *
 * @see https://ai.google.dev/api/generate-content#BlockReason
 */
export type BlockReason = OpenEnum<
  | 'BLOCK_REASON_UNSPECIFIED'
  | 'SAFETY'
  | 'OTHER'
  | 'BLOCKLIST'
  | 'PROHIBITED_CONTENT'
  | 'IMAGE_SAFETY'
  | 'MODEL_ARMOR'
  | 'JAILBREAK'
>;

/**
 * The sources of an answer that used a search tool.
 *
 * @see https://ai.google.dev/api/generate-content#GroundingMetadata
 */
export interface GroundingMetadata {
  groundingChunks?: GroundingChunk[];
  groundingSupports?: GroundingSupport[];
  webSearchQueries?: string[];
  imageSearchQueries?: string[];
  /** HTML that must be shown with an answer of `googleSearch`. */
  searchEntryPoint?: { renderedContent?: string; sdkBlob?: string };
  /** A token for a map widget, with `enableWidget`. */
  googleMapsWidgetContextToken?: string;
  retrievalMetadata?: { googleSearchDynamicRetrievalScore?: number };
}

/**
 * One source. One member is set.
 *
 * @see https://ai.google.dev/api/generate-content#GroundingChunk
 */
export interface GroundingChunk {
  web?: { uri?: string; title?: string; domain?: string };
  image?: { sourceUri?: string; imageUri?: string; title?: string; domain?: string };
  retrievedContext?: {
    uri?: string;
    title?: string;
    text?: string;
    fileSearchStore?: string;
    pageNumber?: number;
  };
  maps?: { uri?: string; title?: string; text?: string; placeId?: string };
}

/**
 * Which sources support a piece of the answer.
 *
 * @see https://ai.google.dev/api/generate-content#GroundingSupport
 */
export interface GroundingSupport {
  /** Indexes in `groundingChunks`. */
  groundingChunkIndices?: number[];
  confidenceScores?: number[];
  /** The piece: byte offsets within a Part. */
  segment?: { partIndex?: number; startIndex?: number; endIndex?: number; text?: string };
}

/**
 * The token counts of an answer. The API omits counts that are 0.
 *
 * @see https://ai.google.dev/api/generate-content#UsageMetadata
 */
export interface UsageMetadata {
  /** Tokens of the prompt, with those from caches. */
  promptTokenCount?: number;
  /** Tokens of the prompt that were read from a cache. */
  cachedContentTokenCount?: number;
  /** Tokens of the answer, without thoughts. */
  candidatesTokenCount?: number;
  /** Tokens of the thoughts. */
  thoughtsTokenCount?: number;
  /** Tokens of the results of the API's own tools. */
  toolUsePromptTokenCount?: number;
  /** The sum of prompt, answer, thoughts and tool results. */
  totalTokenCount?: number;
  promptTokensDetails?: ModalityTokenCount[];
  cacheTokensDetails?: ModalityTokenCount[];
  candidatesTokensDetails?: ModalityTokenCount[];
  toolUsePromptTokensDetails?: ModalityTokenCount[];
  /** The tier that served the request. */
  serviceTier?: ServiceTier;
  /** What the request was paid with. Vertex AI only. */
  trafficType?: OpenEnum<'TRAFFIC_TYPE_UNSPECIFIED' | 'ON_DEMAND' | 'PROVISIONED_THROUGHPUT'>;
}

/**
 * The tokens of one modality.
 *
 * @see https://ai.google.dev/api/generate-content#v1beta.ModalityTokenCount
 */
export interface ModalityTokenCount {
  modality?: OpenEnum<'MODALITY_UNSPECIFIED' | 'TEXT' | 'IMAGE' | 'VIDEO' | 'AUDIO' | 'DOCUMENT'>;
  tokenCount?: number;
}
