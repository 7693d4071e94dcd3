// Defines a file of the Files API, in Gemini's words (https://ai.google.dev/api/files).
import type { OpenEnum } from './open-enum.js';
import type { Json } from '../json.js';

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
