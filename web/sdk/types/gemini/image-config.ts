// Defines the images that a model writes.
import type { OpenEnum } from './open-enum.js';

/**
 * The images of an answer.
 *
 * @see https://ai.google.dev/api/generate-content#ImageConfig
 */
export interface ImageConfig {
  /** Width to height. Default: that of the input image, or the model's choice. */
  aspectRatio?: OpenEnum<
    '1:1' | '2:3' | '3:2' | '3:4' | '4:3' | '4:5' | '5:4' | '9:16' | '16:9' | '21:9'
  >;
  /** Default: `1K`. */
  imageSize?: OpenEnum<'512' | '1K' | '2K' | '4K'>;
  /** Which people may be shown. */
  personGeneration?: OpenEnum<'ALLOW_ALL' | 'ALLOW_ADULT' | 'ALLOW_NONE'>;
  /** The file format. Vertex AI only. */
  imageOutputOptions?: { mimeType?: string; compressionQuality?: number };
}
