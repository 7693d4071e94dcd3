// Defines how audio inputs are transcribed.
import type { OpenEnum } from './open-enum.js';

/**
 * How audio inputs are transcribed.
 *
 * @see https://ai.google.dev/api/generate-content#v1beta.GenerationConfig
 */
export interface AudioTranscriptionConfig {
  /** BCP-47 codes. */
  languageHints?: { languageCodes?: readonly string[] };
  /** Words to expect, such as names. */
  customVocabulary?: readonly string[];
  /** Whether each word has its time. */
  wordTimestamp?: boolean;
  /** Whether speakers are told apart. */
  diarization?: boolean;
  mode?: OpenEnum<'MODE_UNSPECIFIED' | 'VERBATIM' | 'SMART'>;
}
