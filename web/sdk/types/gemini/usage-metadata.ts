// Defines the token counts of an answer.
import type { OpenEnum } from './open-enum.js';
import type { ServiceTier } from './service-tier.js';

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
