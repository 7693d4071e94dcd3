// Declares the body of a generateContent request: its generation config and safety settings.
import type { ApiTool, ToolConfig, Schema } from './tools.js';
import type { ContentInput, OpenEnum, MediaResolution } from './contents.js';
import type { ThinkingLevel } from '../model.js';

/**
 * The body of generateContent and streamGenerateContent. `Thread.assemble` writes it.
 *
 * @see https://ai.google.dev/api/generate-content#request-body
 */
export interface GenerateContentRequest {
  contents: readonly ContentInput[];
  /** Text only; its role is ignored. */
  systemInstruction?: ContentInput;
  tools?: readonly ApiTool[];
  toolConfig?: ToolConfig;
  generationConfig?: GenerationConfig;
  safetySettings?: readonly SafetySetting[];
  /** The name of a CachedContent: `cachedContents/…`. */
  cachedContent?: string;
  /** The model, which must be the one of the URL: `models/…`. */
  model?: string;
  serviceTier?: ServiceTier;
  /** Whether Google stores the request for the project's logs. Gemini API only. */
  store?: boolean;
  /** Continues an answer whose finishReason was `CONTINUATION`. */
  continuationToken?: string;
  /** Labels for billing and logs. Vertex AI only. */
  labels?: { [name: string]: string };
  /** Templates of Model Armor. Vertex AI only. */
  modelArmorConfig?: { promptTemplateName?: string; responseTemplateName?: string };
}

/**
 * How a request is served and priced.
 *
 * @see https://ai.google.dev/gemini-api/docs/pricing
 */
export type ServiceTier = OpenEnum<'unspecified' | 'flex' | 'standard' | 'priority'>;

/**
 * How an answer is generated. docs/diagnostics.md lists what a model refuses.
 *
 * @see https://ai.google.dev/api/generate-content#v1beta.GenerationConfig
 *
 * @example
 * const generationConfig: GenerationConfig = {
 *   maxOutputTokens: 2000,
 *   thinkingConfig: { thinkingLevel: 'LOW' },
 * };
 */
export interface GenerationConfig {
  /** The maximum number of tokens of the answer, thoughts included. */
  maxOutputTokens?: number;
  /** Randomness, from 0 to 2. */
  temperature?: number;
  /** The share of the most probable tokens to sample from. */
  topP?: number;
  /** The number of the most probable tokens to sample from. */
  topK?: number;
  /** Equal seeds make answers similar. */
  seed?: number;
  /** The number of answers. Gemini 3 writes one. */
  candidateCount?: number;
  /** At most five texts that end the answer. */
  stopSequences?: readonly string[];
  /** The format of the answer. Default: `text/plain`. */
  responseMimeType?: OpenEnum<'text/plain' | 'application/json' | 'text/x.enum'>;
  /** The structure of the answer in the API's schema dialect. Requires `responseMimeType: 'application/json'`. */
  responseSchema?: Schema;
  /** The structure of the answer as JSON Schema. `Strata.schema` returns the form that a model takes. */
  responseJsonSchema?: unknown;
  /** The format of the answer, instead of `responseMimeType` and a schema. */
  responseFormat?: ResponseFormat | readonly ResponseFormat[];
  /** What the answer consists of. Default: text. */
  responseModalities?: readonly OpenEnum<
    'MODALITY_UNSPECIFIED' | 'TEXT' | 'IMAGE' | 'AUDIO' | 'VIDEO'
  >[];
  /** A penalty for tokens that are in the answer already. */
  presencePenalty?: number;
  /** A penalty for tokens by how often they are in the answer already. */
  frequencyPenalty?: number;
  /** Whether the answer has the log probabilities of its tokens. */
  responseLogprobs?: boolean;
  /** The number of alternatives for each token. Requires `responseLogprobs`. */
  logprobs?: number;
  enableEnhancedCivicAnswers?: boolean;
  thinkingConfig?: ThinkingConfig;
  speechConfig?: SpeechConfig;
  imageConfig?: ImageConfig;
  mediaResolution?: MediaResolution;
  audioTranscriptionConfig?: AudioTranscriptionConfig;
  /** Which model answers. Vertex AI only. */
  routingConfig?: object;
  /** Which model answers. Vertex AI only. */
  modelSelectionConfig?: object;
  /** Whether audio inputs have times. Vertex AI only. */
  audioTimestamp?: boolean;
  /** Whether the model reacts to emotions. Vertex AI only. */
  enableAffectiveDialog?: boolean;
  /** Translates while the user speaks. Vertex AI only. */
  translationConfig?: { targetLanguageCode?: string; echoTargetLanguage?: boolean };
}

/**
 * How much a model thinks. Set `thinkingLevel` or `thinkingBudget`, whichever the model takes: docs/models.md.
 *
 * @see https://ai.google.dev/api/generate-content#ThinkingConfig
 */
export interface ThinkingConfig {
  /** Whether the answer has summaries of the thoughts, as Parts with `thought: true`. */
  includeThoughts?: boolean;
  /** The maximum number of tokens of thoughts. 0: none; -1: the model decides. Gemini 2.5. */
  thinkingBudget?: number;
  /** Gemini 3 and newer. */
  thinkingLevel?: OpenEnum<ThinkingLevel>;
}

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
