// Names the headers of answers: what was found and repaired, and what of Google's answer reaches the caller.
import { answersArray, type GoogleRoute } from './route.js';
import { countDiagnostics } from '../sdk/internal/first-diagnostics.js';
import type { Diagnostic } from '../sdk/types/diagnostic.js';

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
function forwardedHeaders(headers: Headers): Headers {
  const kept = new Headers();
  headers.forEach((value, name) => {
    if (forwarded.test(name)) kept.set(name, value);
  });
  return kept;
}

const eventStream = 'text/event-stream';
const unknown = 'application/octet-stream';

// Nothing that a browser would run or show is passed on under its own type.
const isData = /^(?:application\/(?:json|octet-stream|x-ndjson)|text\/event-stream)\b/i;

/** Returns the headers of the upstream's response that travel, with a type that fits the method. */
export function answerHeaders(response: Response, route: GoogleRoute): Headers {
  const headers = forwardedHeaders(response.headers);
  if (isData.test(headers.get('content-type') ?? '')) return headers;
  const isStream = route.kind === 'generate' && route.stream && !answersArray(route);
  headers.set('content-type', isStream && response.ok ? eventStream : unknown);
  return headers;
}

const placeholderRules = ['signature.missing', 'thought.missing'];

/** What was done to one request. */
export class Findings {
  /** What was found, repaired or not. */
  readonly diagnostics: Diagnostic[] = [];
  restored = 0;
  removed = 0;

  add(diagnostics: readonly Diagnostic[]): void {
    this.diagnostics.push(...diagnostics);
  }

  /** The findings that are still in the body that is sent. */
  get remaining(): Diagnostic[] {
    return this.diagnostics.filter(({ repaired }) => !repaired);
  }

  /** The findings that can be the reason of a refusal with this HTTP status. */
  reasonsOf(status: number): Diagnostic[] {
    if (status === 404) return this.remaining.filter(({ code }) => code.startsWith('model.'));
    return status === 400 ? this.remaining : [];
  }

  /** The codes of errors and warnings, of what was repaired, and of what a conversion changed or left out. */
  get codes(): string[] {
    const isShown = ({ severity, repaired, code }: Diagnostic) =>
      repaired || severity !== 'info' || /^(?:import|convert)\./.test(code);
    return codesOf(this.diagnostics.filter(isShown));
  }

  get repaired(): string[] {
    return codesOf(this.diagnostics.filter(({ repaired }) => repaired));
  }

  /** The number of placeholders that were added. */
  get placeholder(): number {
    const added = ({ repaired, code }: Diagnostic) => repaired && placeholderRules.includes(code);
    return countDiagnostics(this.diagnostics.filter(added));
  }

  /** Whether the body that is sent differs from the one that came. */
  get isChanged(): boolean {
    return this.restored + this.removed > 0 || this.repaired.length > 0;
  }

  outcome(requestId: string): Outcome {
    const { codes: findings, repaired, restored, placeholder } = this;
    return { requestId, findings, repaired, restored, placeholder };
  }
}

const codesOf = (diagnostics: readonly Diagnostic[]): string[] => [
  ...new Set(diagnostics.map(({ code }) => code)),
];
