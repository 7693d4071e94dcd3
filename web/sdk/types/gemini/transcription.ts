// Defines the transcription of an audio input.

/**
 * What was said in an audio input.
 *
 * @see https://ai.google.dev/api/live#BidiGenerateContentTranscription
 */
export interface Transcription {
  text?: string;
  /** Whether no more text follows. */
  finished?: boolean;
  /** A BCP-47 code. */
  languageCode?: string;
  /** The speaker, with `audioTranscriptionConfig.diarization`. */
  speakerLabel?: string;
  /** When the text begins and ends, such as `1.5s`. */
  startOffset?: string;
  endOffset?: string;
}
