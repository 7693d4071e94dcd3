// Defines what the API says about a model.
import type { OpenEnum } from './open-enum.js';
import type { ModelTokenLimits } from '../model.js';

/**
 * What the API says about a model. It fits the option `limits` of a thread or a Conversation. The API's reference
 * calls it `Model`.
 *
 * @see https://ai.google.dev/api/models#Model
 */
export interface ModelInfo extends ModelTokenLimits {
  /** `models/…` */
  name: string;
  baseModelId?: string;
  version?: string;
  displayName?: string;
  description?: string;
  /** The methods that the model serves. */
  supportedGenerationMethods?: OpenEnum<
    | 'generateContent'
    | 'countTokens'
    | 'createCachedContent'
    | 'batchGenerateContent'
    | 'embedContent'
  >[];
  /** Whether the model thinks. */
  thinking?: boolean;
  /** Defaults of generationConfig. */
  temperature?: number;
  maxTemperature?: number;
  topP?: number;
  topK?: number;
}
