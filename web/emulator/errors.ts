// Builds errors in the format and with the texts of Google's APIs.
import type { Backend } from '../sdk/types/model.js';
import type { Diagnostic, Report } from '../sdk/types/diagnostic.js';
import type { Place } from '../server/match-route.js';
import type { JsonObject } from './types.js';
import { errorWord } from '../server/error-words.js';

const rpc = 'type.googleapis.com/google.rpc.';

/** An error response. Thrown inside the emulator and serialized as `{"error": …}`. */
export class Failure extends Error {
  constructor(
    readonly code: number,
    readonly status: string,
    message: string,
    readonly details: JsonObject[] = [],
  ) {
    super(message);
  }

  toJSON(): JsonObject {
    const { code, message, status, details } = this;
    return { error: { code, message, status, ...(details.length > 0 && { details }) } };
  }

  /** Returns the error as the Interactions API writes it: a word and a text. */
  inWord(): JsonObject {
    const { code, status, message } = this;
    const isDaily = JSON.stringify(this.details).includes('PerDay');
    const special: Record<string, string> = {
      FAILED_PRECONDITION: 'failed_precondition',
      CONTENT_BLOCKED: 'content_blocked',
      ...(isDaily && { RESOURCE_EXHAUSTED: 'quota_exceeded' }),
    };
    return { code: special[status] ?? errorWord(code), message };
  }
}

/** The error for a field that a message does not have. `path` is the message, '' the body itself. */
export function unknownField(name: string, path: string): Failure {
  const place = path === '' ? '' : ` at '${path}'`;
  return invalidArgument(
    `Invalid JSON payload received. Unknown name "${name}"${place}: Cannot find field.`,
  );
}

export function invalidArgument(message: string, details: JsonObject[] = []): Failure {
  return new Failure(400, 'INVALID_ARGUMENT', message, details);
}

/** The error for an unknown, deleted or expired cache: the API returns the same one for all three. */
export function cacheNotFound(id: string, backend: Backend): Failure {
  if (backend === 'vertex') {
    return new Failure(404, 'NOT_FOUND', `Not found: cached content metadata for ${id}.`);
  }
  return new Failure(403, 'PERMISSION_DENIED', 'CachedContent not found (or permission denied)');
}

/** The error for an unknown, deleted or expired file: the API returns the same one for all three. */
export function fileNotFound(id: string): Failure {
  return new Failure(
    403,
    'PERMISSION_DENIED',
    `You do not have permission to access the File ${id} or it may not exist.`,
  );
}

export function fileNotActive(id: string): Failure {
  return new Failure(
    400,
    'FAILED_PRECONDITION',
    `The File ${id} is not in an ACTIVE state and usage is not allowed.`,
  );
}

/** The error for an unknown or deleted batch or interaction. */
export function entityNotFound(): Failure {
  return new Failure(404, 'NOT_FOUND', 'Requested entity was not found.');
}

export function alreadyExists(): Failure {
  return new Failure(409, 'ALREADY_EXISTS', 'Requested entity already exists');
}

/** The error for a model that is not served. `diagnostics` say what the catalogue knows about it. */
export function modelNotFound(
  model: string,
  place: Place,
  method: string,
  diagnostics: readonly Diagnostic[],
): Failure {
  const details = diagnostics.length > 0 ? [badRequest(diagnostics)] : [];
  if (place.backend === 'vertex') {
    const path = place.parent === '' ? '' : `${place.parent}/`;
    return new Failure(
      404,
      'NOT_FOUND',
      `Publisher Model \`${path}publishers/google/models/${model}\` was not found or your project does ` +
        'not have access to it. Please ensure you are using a valid model version.',
      details,
    );
  }
  const { version } = place;
  return new Failure(
    404,
    'NOT_FOUND',
    `models/${model} is not found for API version ${version}, or is not supported for ${method}. ` +
      'Call ListModels to see the list of available models and their supported methods.',
    details,
  );
}

/** The error of the Interactions API for a model that it does not serve. */
export function interactionModelNotFound(model: string): Failure {
  return new Failure(404, 'NOT_FOUND', `Model '${model}' not found.`);
}

export function routeNotFound(path: string): Failure {
  return new Failure(404, 'NOT_FOUND', `The requested URL ${path} was not found on this server.`);
}

const expectedToken =
  'Expected OAuth 2 access token, login cookie or other valid authentication credential. See ' +
  'https://developers.google.com/identity/sign-in/web/devconsole-project.';

/** The error of Vertex AI for a request without a token and a key. */
export function missingToken(): Failure {
  const message = `Request is missing required authentication credential. ${expectedToken}`;
  return new Failure(401, 'UNAUTHENTICATED', message);
}

/** The error of Vertex AI for a token that is unknown or has expired. */
export function invalidToken(): Failure {
  const message = `Request had invalid authentication credentials. ${expectedToken}`;
  return new Failure(401, 'UNAUTHENTICATED', message);
}

export function missingKey(): Failure {
  return new Failure(
    403,
    'PERMISSION_DENIED',
    "Method doesn't allow unregistered callers (callers without established identity). Please " +
      'use API Key or other form of API consumer identity to call this API.',
  );
}

export function invalidKey(): Failure {
  return invalidArgument('API key not valid. Please pass a valid API key.', [
    {
      '@type': `${rpc}ErrorInfo`,
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
      metadata: { service: 'generativelanguage.googleapis.com' },
    },
  ]);
}

export function quotaExceeded(retryDelay: string, quotaId: string): Failure {
  const retry = retryDelay === '' ? '' : ` Please retry in ${retryDelay}.`;
  const details: JsonObject[] = [{ '@type': `${rpc}QuotaFailure`, violations: [{ quotaId }] }];
  if (retryDelay !== '') details.push({ '@type': `${rpc}RetryInfo`, retryDelay });
  return new Failure(
    429,
    'RESOURCE_EXHAUSTED',
    `You exceeded your current quota, please check your plan and billing details.${retry}`,
    details,
  );
}

/** The error for a key of the free tier, which may not store any cache. */
export function cacheQuotaExceeded(model: string, tokens: number): Failure {
  return new Failure(
    429,
    'RESOURCE_EXHAUSTED',
    `TotalCachedContentStorageTokensPerModelFreeTier limit exceeded for model ${model}: limit=0, ` +
      `requested=${tokens}`,
  );
}

export function internal(): Failure {
  return new Failure(500, 'INTERNAL', 'An internal error has occurred. Please retry.');
}

export function overloaded(): Failure {
  return new Failure(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.');
}

/**
 * Returns the API's error for the first error of a lint report; undefined if it has none. The diagnostic's
 * own message is added as a field violation, because Google's text often omits the field and the reason.
 */
export function failureOf(report: Report): Failure | undefined {
  const first = report.diagnostics.find(({ severity }) => severity === 'error');
  return first && toFailure(first);
}

function toFailure(diagnostic: Diagnostic): Failure {
  return invalidArgument(diagnostic.upstream ?? 'Request contains an invalid argument.', [
    badRequest([diagnostic]),
  ]);
}

function badRequest(diagnostics: readonly Diagnostic[]): JsonObject {
  const fieldViolations = diagnostics.map(({ code, path, message }) => ({
    field: fieldPath(path),
    description: `${code}: ${message}`,
  }));
  return { '@type': `${rpc}BadRequest`, fieldViolations };
}

/** Converts a JSON Pointer to Google's notation: `/contents/2/parts/0` to `contents[2].parts[0]`. */
function fieldPath(pointer: string): string {
  return pointer
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');
}
