// Defines how an answer is generated.
import type { AudioTranscriptionConfig } from './audio-transcription-config.js';
import type { ImageConfig } from './image-config.js';
import type { MediaResolution } from './media-resolution.js';
import type { OpenEnum } from './open-enum.js';
import type { ResponseFormat } from './response-format.js';
import type { Schema } from './schema.js';
import type { SpeechConfig } from './speech-config.js';
import type { ThinkingConfig } from './thinking-config.js';

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
