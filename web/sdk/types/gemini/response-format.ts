// Defines the format of an answer per modality.
import type { OpenEnum } from './open-enum.js';

/**
 * The format of an answer. One member is set.
 *
 * @see https://ai.google.dev/gemini-api/docs/structured-output
 */
export interface ResponseFormat {
  /** Text. `schema` is JSON Schema. */
  text?: { mimeType?: OpenEnum<'TEXT_PLAIN' | 'APPLICATION_JSON'>; schema?: unknown };
  image?: object;
  audio?: object;
  video?: object;
}
