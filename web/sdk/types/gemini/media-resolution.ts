// Defines how many tokens media take.
import type { OpenEnum } from './open-enum.js';

/**
 * The resolution of all media of a request.
 *
 * @see https://ai.google.dev/api/generate-content#MediaResolution
 */
export type MediaResolution = OpenEnum<
  | 'MEDIA_RESOLUTION_UNSPECIFIED'
  | 'MEDIA_RESOLUTION_LOW'
  | 'MEDIA_RESOLUTION_MEDIUM'
  | 'MEDIA_RESOLUTION_HIGH'
>;

/**
 * The resolution of one Part.
 *
 * @see https://ai.google.dev/gemini-api/docs/media-resolution
 */
export interface PartMediaResolution {
  level?: MediaResolution | 'MEDIA_RESOLUTION_ULTRA_HIGH';
  /** The number of tokens, instead of a level. */
  numTokens?: number;
}
