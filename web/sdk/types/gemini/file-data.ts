// Defines media that a Part refers to by URI.

/**
 * Media that the API reads from a URI: of the Files API, of YouTube, or of the web.
 *
 * @see https://ai.google.dev/api/caching#FileData
 */
export interface FileData {
  fileUri?: string;
  /** The IANA media type, such as `application/pdf`. */
  mimeType?: string;
  /** A name that the `response` of a functionResponse refers to. Vertex AI only. */
  displayName?: string;
}
