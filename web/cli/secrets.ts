// Why this file exists: reports end up in the logs of CI, and requests may hold keys where nobody expects them.

// Google's API keys, old and new, and access tokens. In JSON an escape may stand before them: "\nAIza…".
const secrets =
  /AIza[\w-]{8,}|(?<=^|[^\w-]|\\[bfnrt]|\\u[\da-fA-F]{4})(?:AQ\.[\w-]{16,}|ya29\.[\w.-]{8,})/g;

/** How many characters a text must have beyond its cut for a key at its end to be known. */
export const longestSecret = 4096;

/** A report with Google's keys and tokens taken out. */
export const withoutSecrets = (report: string): string => report.replace(secrets, '[secret]');
