// Writes the headers of the gateway's responses: what was done, and what keeps browsers from misusing them.

/** What was done for one request, for its response headers. */
export interface Outcome {
  requestId: string;
  findings?: readonly string[];
  repaired?: readonly string[];
  restored?: number;
  placeholder?: number;
}

// Keeps the headers far below the limits of servers and proxies.
const maxCodes = 20;

/** Returns each code once, at most 20, separated by commas. */
const codesText = (codes: readonly string[]): string =>
  [...new Set(codes)].slice(0, maxCodes).join(',');

/** The headers that pages of listed origins may read. */
export const exposedHeaders = [
  'x-strata-findings',
  'x-strata-repaired',
  'x-strata-restored',
  'x-strata-placeholder',
  'x-strata-request-id',
  'retry-after',
  'x-goog-upload-status',
  'x-goog-upload-url',
  'x-goog-upload-size-received',
  'x-goog-upload-chunk-granularity',
].join(', ');

/** Returns the headers that say what was done. Lists that are empty and numbers that are 0 are left out. */
export function outcomeHeaders(outcome: Outcome): Record<string, string> {
  const { requestId, findings = [], repaired = [], restored = 0, placeholder = 0 } = outcome;
  return {
    'x-strata-request-id': requestId,
    ...(findings.length > 0 && { 'x-strata-findings': codesText(findings) }),
    ...(repaired.length > 0 && { 'x-strata-repaired': codesText(repaired) }),
    ...(restored > 0 && { 'x-strata-restored': String(restored) }),
    ...(placeholder > 0 && { 'x-strata-placeholder': String(placeholder) }),
  };
}

/**
 * The gateway answers programs: no page may frame its answers, guess their type or keep them. A body that a browser
 * opens runs nothing.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

// What an answer of the upstream may carry on. Cookies, names of servers and lengths of encoded bodies stay behind.
const forwarded =
  /^(?:content-type|retry-after|x-goog-(?:request-id|upload-(?!url$)[\w-]+)|x-gemini-[\w-]+|server-timing)$/;

/** Returns the headers of an upstream's response that the caller gets. */
export function forwardedHeaders(headers: Headers): Headers {
  const kept = new Headers();
  headers.forEach((value, name) => {
    if (forwarded.test(name)) kept.set(name, value);
  });
  return kept;
}
