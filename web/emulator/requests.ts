// Validates a request before it is answered: body, API key, model, cache, and the rules of the catalog.
import type { Backend } from '../sdk/types/model.js';
import type { Diagnostic } from '../sdk/types/diagnostic.js';
import type { JsonInput } from '../sdk/types/json.js';
import type { Cache, Context } from './stores.js';
import {
  failureOf,
  fileNotActive,
  invalidArgument,
  invalidKey,
  invalidToken,
  missingKey,
  missingToken,
  modelNotFound,
} from './errors.js';
import { checkEnums, checkGenerationConfig } from './generation-config.js';
import { reasonsNotServed, supports } from './models.js';
import { cacheIdOf, readContents } from './request-fields.js';
import type { Place } from '../server/match-route.js';
import { hasForeignSignature } from './signatures.js';
import type { EmulatorOptions, JsonObject } from './types.js';
import { objectField, parseObject, textField } from './wire.js';

/** The errors for which countTokens rejects a body. */
const bodyCodes = /^(?:contents|parts|part|role|field|json|size)\./;

/**
 * Parses the body. An empty body is an empty message.
 *
 * @param checkedLater whether `checkRequest` will read the same bytes; else excessive nesting is rejected here
 * @throws Failure if the body is not a JSON object
 */
export function readBody(context: Context, bytes: Uint8Array, checkedLater: boolean): JsonObject {
  if (bytes.length === 0) return {};
  const body = parseObject(bytes);
  if (body && checkedLater) return body;
  const report = context.checker.lint(bytes, { model: 'gemini-flash-latest' });
  const diagnostics = report.diagnostics.filter(({ code }) => code.startsWith('json.'));
  const failure = failureOf({ ok: false, diagnostics });
  if (failure) throw failure;
  if (body) return body;
  throw invalidArgument(
    'Invalid JSON payload received. Unknown name "": Root element must be a message.',
  );
}

/**
 * Checks the API key, which is in a header or in the URL, or Vertex AI's access token.
 *
 * @throws Failure
 */
export function checkKey(
  expected: EmulatorOptions['apiKey'],
  request: Request,
  url: URL,
  { backend }: Place,
): void {
  if (expected === undefined || expected === false) return;
  const key = request.headers.get('x-goog-api-key') || url.searchParams.get('key');
  const isVertex = backend === 'vertex';
  const token = isVertex && /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  const given = token || key;
  if (!given) throw isVertex ? missingToken() : missingKey();
  const isValid = expected === true ? /^[\w.-]{20,}$/.test(given) : given === expected;
  if (!isValid) throw token ? invalidToken() : invalidKey();
}

/**
 * Checks that the model is served and has the method.
 *
 * @throws Failure
 */
export function checkModel(context: Context, model: string, place: Place, method: string): void {
  if (supports(context, model, method)) return;
  throw modelNotFound(model, place, method, reasonsNotServed(context, model));
}

/**
 * Returns the cache that a body names; undefined if it names none.
 *
 * @throws Failure if the cache is unknown or expired
 */
export function findCache(context: Context, body: JsonObject): Cache | undefined {
  const id = cacheIdOf(body);
  return id === undefined ? undefined : context.caches.get(id, context.now(), context.backend);
}

/**
 * Applies the rules of the catalog and, with `checkSignatures`, checks the signatures.
 *
 * @param bodyOnly applies only the rules that countTokens enforces
 * @throws Failure
 */
export function checkRequest(
  context: Context,
  model: string,
  request: { source: JsonInput; body: JsonObject; cache: Cache | undefined },
  bodyOnly = false,
): void {
  const { checker, backend, service, options } = context;
  const { source, body, cache } = request;
  const known = cache && { cache: { model: cache.model, tokens: cache.tokens } };
  const report = checker.lint(source, { model, ...service, ...known, wire: 'generateContent' });
  const diagnostics = report.diagnostics
    .filter(({ code }) => !bodyOnly || bodyCodes.test(code))
    .map((diagnostic) => asStrict(diagnostic, options));
  if (!bodyOnly) {
    checkGenerationConfig(body, backend);
    checkEnums(body, backend);
  }
  const failure = failureOf({ ok: report.ok, diagnostics });
  if (failure) throw failure;
  if (options.checkSignatures && !bodyOnly) checkSignatures(body, backend);
  checkFiles(context, body);
}

/** Makes errors of unknown fields, which the API refuses. `lint` only warns, for they may be newer than this package. */
export function asStrict(diagnostic: Diagnostic, { unknownFields }: EmulatorOptions): Diagnostic {
  const { code, path } = diagnostic;
  const isRefused =
    /^(?:interaction|step)\.field_unknown$/.test(code) ||
    (code === 'field.unknown' && !path.startsWith('/contents/'));
  return isRefused && unknownFields !== 'accept'
    ? { ...diagnostic, severity: 'error' }
    : diagnostic;
}

/**
 * Refuses files of the emulator that are not ready. Those of others, as in recorded conversations, are accepted.
 *
 * @throws Failure
 */
export function checkFiles({ files, now }: Context, body: JsonObject): void {
  const parts = readContents(body).flatMap((content) => content.parts);
  for (const part of parts) {
    const uri = textField(objectField(part, 'fileData'), 'fileUri') ?? '';
    const id = /\/v1(?:beta)?\/files\/([\w-]+)$/.exec(uri)?.[1];
    const file = id === undefined ? undefined : files.find(id, now());
    if (file && file.state !== 'ACTIVE') throw fileNotActive(file.id);
  }
}

function checkSignatures(body: JsonObject, backend: Backend): void {
  const parts = readContents(body).flatMap((content) => content.parts);
  if (!hasForeignSignature(parts)) return;
  throw invalidArgument(
    backend === 'gemini' ? 'Corrupted thought signature.' : 'Invalid thought signature.',
  );
}
