// Converts what a user sends to one user Content.
import { abortable } from '../internal/lifetime.js';
import { invalidOption } from '../internal/options.js';
import type { ContentInput, PartInput } from '../types/gemini/contents.js';

/** A Blob or File of any realm. */
export interface BlobLike {
  readonly type: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/**
 * A message: a text; a list of texts, Parts, and Blobs or Files, which become `inlineData`; or a whole user Content,
 * as an object or as JSON bytes.
 */
export type ConversationInput =
  string | (string | PartInput | BlobLike)[] | ContentInput | Uint8Array;

/** A message without lists: what the thread appends. */
export type Message = string | object | Uint8Array;

export const isBlob = (value: unknown): value is BlobLike =>
  typeof Object(value).arrayBuffer === 'function' && typeof Object(value).type === 'string';

async function partOf(item: string | PartInput | BlobLike, path: string): Promise<PartInput> {
  if (typeof item === 'string') return { text: item };
  if (ArrayBuffer.isView(item) || item instanceof ArrayBuffer)
    throw invalidOption(path, 'a Blob with a type, such as image/png, not bytes');
  if (!isBlob(item)) return item;
  // Parameters such as `charset` are no part of the API's mimeType.
  const [mimeType = ''] = item.type.split(';');
  if (mimeType === '') throw invalidOption(path, 'a Blob with a type, such as image/png');
  const data = new Uint8Array(await item.arrayBuffer());
  // Bytes become base64 when the Content is written.
  return { inlineData: { mimeType, data } };
}

/**
 * Returns a list as a user Content.
 *
 * @throws StrataError `field.invalid` for an empty list, bytes, or a Blob without a type
 */
export async function contentOf(
  list: Extract<ConversationInput, unknown[]>,
  signal: AbortSignal,
): Promise<Message> {
  if (list.length === 0) throw invalidOption('/input', 'a list with at least one part');
  const parts = list.map((item, index) => partOf(item, `/input/${index}`));
  return { role: 'user', parts: await abortable(Promise.all(parts), signal) };
}
