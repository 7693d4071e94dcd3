// Decodes UTF-8. A TextDecoder without options drops a leading U+FEFF (a byte order mark), which may be part of a
// text.

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const fatal = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
const documents = new TextDecoder('utf-8', { ignoreBOM: false });

/** Decodes a text and keeps a leading U+FEFF. Invalid UTF-8 becomes U+FFFD. */
export const decodeUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes);

/**
 * Decodes a text and keeps a leading U+FEFF.
 *
 * @throws TypeError for invalid UTF-8
 */
export const decodeValidUtf8 = (bytes: Uint8Array): string => fatal.decode(bytes);

/** Decodes a whole file or HTTP body and drops a leading byte order mark. */
export const decodeDocument = (bytes: Uint8Array): string => documents.decode(bytes);
