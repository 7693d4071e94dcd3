// Writes the bodies of requests, and reads those of responses within limits.
import { jsonPart } from '../internal/json-input.js';
import type { JsonInput } from '../types/json.js';
import { Watch } from '../internal/lifetime.js';
import { joinBytes } from '../internal/bytes.js';
import { GeminiError } from '../internal/errors.js';

/**
 * Returns the bytes of a body; undefined without one.
 *
 * @throws StrataError `json.invalid`
 */
export function jsonBytes(body: JsonInput | undefined): Uint8Array | undefined {
  const part = jsonPart(body);
  return typeof part === 'string' ? new TextEncoder().encode(part) : part;
}

/**
 * Returns the body as text, without a leading byte order mark.
 *
 * @throws the error of the body's stream: a GeminiError, or the reason of an abort
 */
export async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: false });
  let text = '';
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    text += decoder.decode(read.value, { stream: true });
  }
  return text + decoder.decode();
}

/** The largest answer in bytes, unless the client's option says otherwise. An image with its signature has some 20 MB. */
export const maxAnswerBytes = 64 * 1024 * 1024;

/** The longest error in bytes. Google's have a few kilobytes. */
export const maxErrorBytes = 1024 * 1024;
/** Limits of what is read. */
export interface ReadLimits {
  bytes?: number;
  /** Milliseconds for all of it; 0 means no limit but that of each read. */
  ms?: number;
}

/**
 * Returns the beginning of a body, at most 1 MiB: what arrives in time, and before it breaks off. The rest is not read.
 *
 * @throws the reason of an abort
 */
export async function readStart(
  reader: Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'> | undefined,
  { bytes = maxErrorBytes, ms = 0 }: ReadLimits = {},
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const readAll = async () => {
    let size = 0;
    for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
      chunks.push(read.value);
      size += read.value.length;
      if (size > bytes) break;
    }
  };
  try {
    await new Watch(undefined, ms, () => new GeminiError('timeout', '')).waitLast(readAll());
  } catch (error) {
    // What has arrived says enough.
    if (!(error instanceof GeminiError)) throw error;
  } finally {
    reader?.cancel().catch(() => {});
  }
  return joinBytes(chunks).subarray(0, bytes);
}
