// Why this file exists: reports end up in the logs of CI, and requests may hold keys where nobody expects them.

// Google's API keys, old and new, and access tokens, also where an excerpt cuts them short.
const secrets = /\bAIza[\w-]{8,}|\bAQ\.[\w-]{16,}|\bya29\.[\w.-]{8,}/g;

/** A report with Google's keys and tokens taken out. */
export const withoutSecrets = (report: string): string => report.replace(secrets, '[secret]');
