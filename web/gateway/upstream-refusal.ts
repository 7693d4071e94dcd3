// Passes a refusal of the upstream on, with the gateway's diagnosis in its details.
import { readerOf } from '../sdk/client/http.js';
import { readStart, type ReadLimits } from '../sdk/client/response-body.js';
import { decodeDocument } from '../sdk/internal/bytes.js';
import type { Diagnostic } from '../sdk/types/diagnostic.js';
import { diagnosticDetails } from './gateway-error.js';

/** Milliseconds in which a refusal must have arrived. Each byte of it starts `timeoutMs` anew. */
export const maxRefusalMs = 10_000;

/** Returns the beginning of a body, at most 1 MiB, and what arrives in time. The rest is not read. */
export const readBounded = (response: Response, limits?: ReadLimits): Promise<Uint8Array> =>
  readStart(readerOf(response), { ms: maxRefusalMs, ...limits });

interface ErrorObject {
  error: { message?: unknown; details?: unknown; [name: string]: unknown };
}

const isErrorObject = (value: unknown): value is ErrorObject =>
  typeof (Object(value) as Partial<ErrorObject>).error === 'object' &&
  (Object(value) as Partial<ErrorObject>).error !== null;

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeDocument(bytes));
  } catch {
    return undefined;
  }
}

/** Returns the error that a refusal holds; undefined for anything else. */
export function errorIn(bytes: Uint8Array): ErrorObject['error'] | undefined {
  const value = parsed(bytes);
  const object: unknown = Array.isArray(value) ? value[0] : value;
  return isErrorObject(object) ? object.error : undefined;
}

/**
 * Returns a refusal with diagnostics in its details. Status, text and other details stay; a body that is no error of
 * Google is returned as it is.
 */
export function withDiagnosis(bytes: Uint8Array, diagnostics: readonly Diagnostic[]): Uint8Array {
  return withDetails(bytes, diagnosticDetails(diagnostics));
}

/** Returns a refusal with further details. A body that is no error of Google is returned as it is. */
export function withDetails(bytes: Uint8Array, further: readonly object[]): Uint8Array {
  if (further.length === 0) return bytes;
  const value = parsed(bytes);
  const object: unknown = Array.isArray(value) ? value[0] : value;
  if (!isErrorObject(object)) return bytes;
  const { details } = object.error;
  const given: unknown[] = Array.isArray(details) ? details : [];
  // The emulator says the same in its own details.
  const texts = new Set(given.map((detail) => JSON.stringify(detail)));
  const added = further.filter((detail) => !texts.has(JSON.stringify(detail)));
  object.error.details = [...given, ...added];
  return new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
}
