// Defines the response of generateContent.
import type { Candidate } from './candidate.js';
import type { BlockReason } from './finish-reason.js';
import type { OpenEnum } from './open-enum.js';
import type { SafetyRating } from './safety.js';
import type { UsageMetadata } from './usage-metadata.js';

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
