// Defines media inside a Part. The API's reference and @google/genai call this shape Blob; here it has the name of
// its field, because `Blob` is a global class of browsers, Workers and Node.

/**
 * Media bytes inside a request or an answer: an image, audio, a PDF… The API's reference calls it `Blob`.
 *
 * @see https://ai.google.dev/api/caching#Blob
 */
export interface InlineData {
  /** The IANA media type, such as `image/png`. */
  mimeType?: string;
  /** The bytes, base64. */
  data?: string;
  /** A name that the `response` of a functionResponse refers to with `{ "$ref": name }`. */
  displayName?: string;
}

/** An `InlineData` to send, whose data may also be bytes. */
export interface InlineDataInput extends Omit<InlineData, 'data'> {
  data?: string | Uint8Array;
}
