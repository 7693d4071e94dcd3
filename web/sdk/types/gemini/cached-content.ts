// Defines explicit caches.
import type { ApiTool } from './api-tool.js';
import type { ContentInput } from './content.js';
import type { ToolConfig } from './tool-config.js';

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
