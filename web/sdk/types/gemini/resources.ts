// Declares what the API keeps or lists: uploaded files, cached contents, and models.
import type { OpenEnum, ContentInput } from './contents.js';
import type { Json } from '../json.js';
import type { ApiTool, ToolConfig } from './tools.js';
import type { ModelTokenLimits } from '../model.js';

/**
 * A file that the Files API holds, `File` in Gemini's documentation. `uri` and `mimeType` are what a `fileData` part
 * needs.
 *
 * @see https://ai.google.dev/api/files#File
 *
 * @example
 * const part = { fileData: { fileUri: file.uri, mimeType: file.mimeType } };
 */
export interface GeminiFile {
  /** `files/…` */
  name: string;
  displayName?: string;
  mimeType: string;
  /** A whole number as text. */
  sizeBytes?: string;
  /** RFC 3339, as the other times. */
  createTime?: string;
  updateTime?: string;
  /** When the API deletes the file: 48 hours after the upload. */
  expirationTime?: string;
  /** Base64. */
  sha256Hash?: string;
  /** The file's place, for `fileData.fileUri`. */
  uri: string;
  /** Only an `ACTIVE` file can be used in a request. */
  state: OpenEnum<'STATE_UNSPECIFIED' | 'PROCESSING' | 'ACTIVE' | 'FAILED'>;
  source?: OpenEnum<'UPLOADED' | 'GENERATED' | 'REGISTERED'>;
  /** Why processing failed, a `google.rpc.Status`. */
  error?: { code?: number; message?: string; details?: Json[] };
  videoMetadata?: { videoDuration?: string };
}

/**
 * The start of a prompt that the API keeps for later requests: the body of cachedContents.create, and what the API
 * says about it. The API never returns the contents.
 *
 * @see https://ai.google.dev/api/caching#CachedContent
 */
export interface CachedContent {
  /** `cachedContents/…`. Only the API sets it. */
  name?: string;
  /** The model that may use the cache: `models/…`. */
  model?: string;
  displayName?: string;
  contents?: readonly ContentInput[];
  systemInstruction?: ContentInput;
  tools?: readonly ApiTool[];
  toolConfig?: ToolConfig;
  /** The lifetime from now, such as `600s`. Set this or `expireTime`; the API returns only `expireTime`. */
  ttl?: string;
  /** RFC 3339. */
  expireTime?: string;
  /** RFC 3339. Only the API sets it. */
  createTime?: string;
  /** RFC 3339. Only the API sets it. */
  updateTime?: string;
  /** Only the API sets it. */
  usageMetadata?: CachedContentUsage;
  /** A key of Cloud KMS. Vertex AI only. */
  kmsKeyName?: string;
  /** A key of Cloud KMS. Vertex AI only. */
  encryptionSpec?: { kmsKeyName?: string };
}

/**
 * The size of a CachedContent. The API's reference calls it `UsageMetadata`, as that of an answer.
 *
 * @see https://ai.google.dev/api/caching#UsageMetadata
 */
export interface CachedContentUsage {
  totalTokenCount?: number;
}

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
