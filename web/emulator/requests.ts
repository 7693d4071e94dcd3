// Why this file exists: what is refused before an answer is thought of: a body that can't be read, a
// key, a model, a cache, and all that the catalogue of rules knows.
import type { Backend } from '../sdk/types/backend.js';
import type { JsonInput } from '../sdk/types/json.js';
import type { Cache } from './caches.js';
import type { Context } from './context.js';
import { invalidArgument, invalidKey, missingKey, modelNotFound, refusal } from './errors.js';
import { isServed } from './models.js';
import { cacheIdOf, readContents } from './prompt.js';
import { hasForeignSignature } from './signatures.js';
import type { EmulatorOptions, JsonObject } from './types.js';
import { parseObject } from './wire.js';

/** Faults of the body as a whole; a token count is not refused for more than these. */
const bodyCodes = /^(?:contents|parts|part|role|field|json|size)\./;

/**
 * The body as a value; no bytes are an empty message. Refuses what is no JSON object and, unless
 * `checkRequest` will read these same bytes, JSON that is nested too deep to be walked through.
 */
export function readBody(context: Context, bytes: Uint8Array, checkedLater: boolean): JsonObject {
  if (bytes.length === 0) return {};
  const body = parseObject(bytes);
  if (body && checkedLater) return body;
  const report = context.strata.lint(bytes, { model: 'gemini-flash-latest' });
  const diagnostics = report.diagnostics.filter(({ code }) => code.startsWith('json.'));
  const failure = refusal({ ok: false, diagnostics });
  if (failure) throw failure;
  if (body) return body;
  throw invalidArgument(
    'Invalid JSON payload received. Unknown name "": Root element must be a message.',
  );
}

/** The API looks for the key in the header or in the address. */
export function checkKey(wanted: EmulatorOptions['apiKey'], request: Request, url: URL): void {
  if (wanted === undefined || wanted === false) return;
  const key = request.headers.get('x-goog-api-key') || url.searchParams.get('key');
  if (!key) throw missingKey();
  const fits = wanted === true ? /^[\w.-]{20,}$/.test(key) : key === wanted;
  if (!fits) throw invalidKey();
}

export function checkModel(model: string, version: string, method: string): void {
  if (!isServed(model)) throw modelNotFound(model, version, method);
}

/** The cache that a body names. Throws when it is not there any more. */
export function findCache(context: Context, body: JsonObject): Cache | undefined {
  const id = cacheIdOf(body);
  return id === undefined ? undefined : context.caches.get(id, context.now());
}

/** Refuses by the catalogue, and by signatures where the options say so. */
export function checkRequest(
  context: Context,
  model: string,
  request: { source: JsonInput; body: JsonObject; cache: Cache | undefined },
  bodyOnly = false,
): void {
  const { strata, backend, options } = context;
  const { source, body, cache } = request;
  const known = cache && { cache: { model: cache.model, tokens: cache.tokens } };
  const report = strata.lint(source, { model, backend, ...known });
  const diagnostics = report.diagnostics.filter(({ code }) => !bodyOnly || bodyCodes.test(code));
  const failure = refusal({ ok: report.ok, diagnostics });
  if (failure) throw failure;
  if (options.checkSignatures && !bodyOnly) checkSignatures(body, backend);
}

function checkSignatures(body: JsonObject, backend: Backend): void {
  const parts = readContents(body).flatMap((content) => content.parts);
  if (!hasForeignSignature(parts)) return;
  throw invalidArgument(
    backend === 'gemini'
      ? 'Corrupted thought signature.'
      : 'Unable to submit request because Thought signature is not valid..',
  );
}
