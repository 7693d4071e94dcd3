// Defines the body of generateContent.
import type { ApiTool } from './api-tool.js';
import type { ContentInput } from './content.js';
import type { GenerationConfig } from './generation-config.js';
import type { SafetySetting } from './safety.js';
import type { ServiceTier } from './service-tier.js';
import type { ToolConfig } from './tool-config.js';

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
