// Defines the voice of a spoken answer.

/**
 * How an answer is spoken. Set `voiceConfig` or `multiSpeakerVoiceConfig`.
 *
 * @see https://ai.google.dev/api/generate-content#SpeechConfig
 */
export interface SpeechConfig {
  voiceConfig?: VoiceConfig;
  multiSpeakerVoiceConfig?: MultiSpeakerVoiceConfig;
  /** A BCP-47 code, such as `en-US`. */
  languageCode?: string;
}

/**
 * A voice.
 *
 * @see https://ai.google.dev/api/generate-content#VoiceConfig
 */
export interface VoiceConfig {
  prebuiltVoiceConfig?: PrebuiltVoiceConfig;
  /** A voice copied from a sample. */
  replicatedVoiceConfig?: { mimeType?: string; voiceSampleAudio?: string };
}

/** A voice by its name. */
export interface PrebuiltVoiceConfig {
  /** Such as `Kore`: https://ai.google.dev/gemini-api/docs/speech-generation#voices. */
  voiceName?: string;
}

/** The voices of two speakers. */
export interface MultiSpeakerVoiceConfig {
  speakerVoiceConfigs?: readonly SpeakerVoiceConfig[];
}

/** The voice of one speaker. */
export interface SpeakerVoiceConfig {
  /** The name of the speaker in the prompt. */
  speaker?: string;
  voiceConfig?: VoiceConfig;
}
