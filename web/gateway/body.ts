// Reads JSON bodies within the gateway's limits: type, size, time and depth.
import * as must from '../sdk/base/options.js';
import { checkJsonType, readBody } from '../sdk/server/body.js';
import { GatewayError } from './gateway-error.js';

/** Limits of the body of a request. The chunk of a file that is uploaded may have any type and 64 MiB. */
export interface BodyLimitOptions {
  /** The largest body. Default: 20 MiB; Google takes up to 100 MB. */
  maxBodyBytes?: number;
  /** Milliseconds in which a body must have arrived. Default: 60000. */
  bodyTimeoutMs?: number;
}

/** The check of each limit. */
export const bodyLimitShape: must.Shape<BodyLimitOptions> = {
  maxBodyBytes: must.optional(must.count),
  bodyTimeoutMs: must.optional(must.count),
};

const defaultBytes = 20 * 1024 * 1024;
const defaultMs = 60_000;

/** The deepest nesting of a body, which is the core's limit. Google's parser takes half of it. */
export const maxDepth = 200;

const quote = 0x22;
const backslash = 0x5c;

// Returns the index of the quote that ends the string which begins at `start`; the length without one.
function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = bytes.indexOf(quote, start + 1); at >= 0; at = bytes.indexOf(quote, at + 1)) {
    let escapes = 0;
    while (bytes[at - 1 - escapes] === backslash) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return bytes.length;
}

/** Returns whether containers nest deeper than `limit`. Reads no grammar. */
export function isDeeperThan(bytes: Uint8Array, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at);
    // { and [, then } and ].
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > limit) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}

/**
 * Reads a body that is declared to be JSON; neither its grammar nor its depth is checked, which the core does.
 *
 * @throws HttpError with the status 415, 413, 408 or 400
 */
export async function readTypedBody(
  request: Request,
  { maxBodyBytes = defaultBytes, bodyTimeoutMs = defaultMs }: BodyLimitOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  checkJsonType(request);
  return readBody(request, { bytes: maxBodyBytes, ms: bodyTimeoutMs });
}

/**
 * Reads a JSON body that the core does not see; its grammar is not checked.
 *
 * @throws HttpError with the status 415, 413, 408 or 400
 */
export async function readJsonBody(
  request: Request,
  limits: BodyLimitOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readTypedBody(request, limits);
  if (isDeeperThan(bytes, maxDepth)) {
    throw new GatewayError(400, 'json.too_deep', `Containers nest more than ${maxDepth} deep.`);
  }
  return bytes;
}
