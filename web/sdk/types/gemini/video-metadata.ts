// Defines which section of a video the model sees.

/**
 * The section and the frame rate of a video.
 *
 * @see https://ai.google.dev/api/caching#VideoMetadata
 */
export interface VideoMetadata {
  /** Where the section begins and ends, such as `10s`. */
  startOffset?: string;
  endOffset?: string;
  /** Frames per second, more than 0 and at most 24. Default: 1. */
  fps?: number;
}
