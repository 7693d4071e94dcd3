// Redacts Google API keys and access tokens in reports, which end up in CI logs.

// Google's API keys, in the old and the new format, and access tokens. In JSON, an escape sequence may precede
// them: "\nAIza…".
const secrets =
  /AIza[\w-]{8,}|(?<=^|[^\w-]|\\[bfnrt]|\\u[\da-fA-F]{4})(?:AQ\.[\w-]{16,}|ya29\.[\w.-]{8,})/g;

/** The number of characters to read beyond an excerpt so that a key at its edge is recognized. */
export const maxSecretLength = 4096;

/** Returns the report with Google's keys and tokens replaced by `[secret]`. */
export const withoutSecrets = (report: string): string => report.replace(secrets, '[secret]');
