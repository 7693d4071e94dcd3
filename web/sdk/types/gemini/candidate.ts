// Defines one answer of a response.
import type { Content } from './content.js';
import type { FinishReason } from './finish-reason.js';
import type { GroundingMetadata } from './grounding-metadata.js';
import type { OpenEnum } from './open-enum.js';
import type { SafetyRating } from './safety.js';

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
