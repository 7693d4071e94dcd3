// Decodes UTF-8. A TextDecoder without options drops a leading U+FEFF, which may be part of a text.

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const fatal = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });
const documents = new TextDecoder('utf-8', { ignoreBOM: false });

/** The text in these bytes, a leading U+FEFF included. What is not UTF-8 becomes U+FFFD. */
export const decodeUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes);

/** The text in these bytes, a leading U+FEFF included; throws TypeError for what is not UTF-8. */
export const decodeValidUtf8 = (bytes: Uint8Array): string => fatal.decode(bytes);

/** The text of a whole file or body, without the byte order mark that may open it. */
export const decodeDocument = (bytes: Uint8Array): string => documents.decode(bytes);
