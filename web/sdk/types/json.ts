// Defines JSON values and the forms in which callers pass JSON.

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * JSON as a value, as JSON text, or as UTF-8 bytes. Text and bytes are used byte for byte, except that a lone
 * surrogate in text becomes U+FFFD. A value is written with `JSON.stringify`; bytes inside it become base64.
 * A value that JSON cannot represent (a Map, a Promise, a BigInt) is the error `json.invalid`.
 */
export type JsonInput = object | string | Uint8Array;

/**
 * A shape of the API: as a value, whose fields the compiler checks, as JSON text, or as UTF-8 bytes. Otherwise like
 * `JsonInput`.
 */
export type JsonOf<Shape> = Shape | string | Uint8Array;
