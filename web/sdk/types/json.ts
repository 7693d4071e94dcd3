// JSON values, and the forms in which callers may pass JSON.

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * JSON as a value, as JSON text, or as UTF-8 bytes. Text and bytes are kept as they are, to the
 * byte; a value is written with `JSON.stringify`, bytes inside it as base64. What JSON has no form for (a Map,
 * a Promise, a BigInt) is `json.invalid`. A lone surrogate in text becomes U+FFFD.
 */
export type JsonInput = object | string | Uint8Array;
