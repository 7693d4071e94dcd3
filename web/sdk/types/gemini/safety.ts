// Defines the safety filters and what they found.
import type { OpenEnum } from './open-enum.js';

/**
 * A kind of harm.
 *
 * @see https://ai.google.dev/api/generate-content#v1beta.HarmCategory
 */
export type HarmCategory = OpenEnum<
  | 'HARM_CATEGORY_UNSPECIFIED'
  | 'HARM_CATEGORY_HARASSMENT'
  | 'HARM_CATEGORY_HATE_SPEECH'
  | 'HARM_CATEGORY_SEXUALLY_EXPLICIT'
  | 'HARM_CATEGORY_DANGEROUS_CONTENT'
  | 'HARM_CATEGORY_CIVIC_INTEGRITY'
  | 'HARM_CATEGORY_JAILBREAK'
  | 'HARM_CATEGORY_IMAGE_HATE'
  | 'HARM_CATEGORY_IMAGE_DANGEROUS_CONTENT'
  | 'HARM_CATEGORY_IMAGE_HARASSMENT'
  | 'HARM_CATEGORY_IMAGE_SEXUALLY_EXPLICIT'
>;

/**
 * The probability of harm from which on content is blocked.
 *
 * @see https://ai.google.dev/api/generate-content#HarmBlockThreshold
 */
export type HarmBlockThreshold = OpenEnum<
  | 'HARM_BLOCK_THRESHOLD_UNSPECIFIED'
  | 'BLOCK_LOW_AND_ABOVE'
  | 'BLOCK_MEDIUM_AND_ABOVE'
  | 'BLOCK_ONLY_HIGH'
  | 'BLOCK_NONE'
  | 'OFF'
>;

/**
 * One safety filter. Each category may be set once.
 *
 * @see https://ai.google.dev/api/generate-content#v1beta.SafetySetting
 */
export interface SafetySetting {
  category?: HarmCategory;
  threshold?: HarmBlockThreshold;
  /** What the threshold is compared with. Vertex AI only. */
  method?: OpenEnum<'HARM_BLOCK_METHOD_UNSPECIFIED' | 'SEVERITY' | 'PROBABILITY'>;
}

/**
 * What a safety filter found.
 *
 * @see https://ai.google.dev/api/generate-content#v1beta.SafetyRating
 */
export interface SafetyRating {
  category?: HarmCategory;
  probability?: OpenEnum<'HARM_PROBABILITY_UNSPECIFIED' | 'NEGLIGIBLE' | 'LOW' | 'MEDIUM' | 'HIGH'>;
  /** Whether the content was blocked because of this rating. */
  blocked?: boolean;
  /** Vertex AI only, like the members after it. */
  probabilityScore?: number;
  severity?: OpenEnum<
    | 'HARM_SEVERITY_UNSPECIFIED'
    | 'HARM_SEVERITY_NEGLIGIBLE'
    | 'HARM_SEVERITY_LOW'
    | 'HARM_SEVERITY_MEDIUM'
    | 'HARM_SEVERITY_HIGH'
  >;
  severityScore?: number;
}
