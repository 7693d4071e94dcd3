// Checks what a user sends, and converts it to one user Content.
import { bytesOf, decodeDocument } from '../internal/bytes.js';
import { HistoryError } from '../internal/errors.js';
import { abortable, type Watch } from '../internal/lifetime.js';
import { invalidOption } from '../internal/options.js';
import type { CoreThread } from '../types/core-objects.js';
import type { ContentInput, PartInput } from '../types/gemini/contents.js';
import type { Step } from '../types/gemini/steps.js';

/** A Blob or File of any realm. */
export interface BlobLike {
  readonly type: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/**
 * A message: a text; a list of texts, Parts, and Blobs or Files, which become `inlineData`; a whole user Content, as an
 * object or as JSON bytes; or one step, a `user_input`, also in a list.
 */
export type ConversationInput =
  string | (string | PartInput | BlobLike)[] | ContentInput | Step | Step[] | Uint8Array;

/** A message without lists: what the thread appends. */
export type Message = string | object | Uint8Array;

const isBlob = (value: unknown): value is BlobLike =>
  typeof Object(value).arrayBuffer === 'function' && typeof Object(value).type === 'string';

const isStep = (value: unknown): value is Step =>
  typeof Object(value).type === 'string' && !isBlob(value);

// Each step would be a turn of its own.
function checkUserSteps(list: readonly unknown[]): void {
  const typeOf = (step: unknown) => (isStep(step) ? `'${step.type}'` : 'something else');
  const found = list.map(typeOf).join(', ');
  if (found === "'user_input'") return;
  const message = `A message of steps is one user_input, not ${found}. Steps that came before are the option \`history\`.`;
  throw new HistoryError('trigger.missing', message);
}

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
 * Returns a list as a user Content. One of steps stays as it is.
 *
 * @throws StrataError `field.invalid` for an empty list, bytes, or a Blob without a type; HistoryError `trigger.missing`
 *   for steps that are no message
 */
export async function contentOf(
  list: Extract<ConversationInput, unknown[]>,
  signal: AbortSignal,
): Promise<Message> {
  if (list.length === 0) throw invalidOption('/input', 'a list with at least one part');
  if (isStep(list[0])) {
    checkUserSteps(list);
    return list;
  }
  const items = list as (string | PartInput | BlobLike)[];
  const parts = items.map((item, index) => partOf(item, `/input/${index}`));
  return { role: 'user', parts: await abortable(Promise.all(parts), signal) };
}

/**
 * Returns a message as it is appended to this thread.
 *
 * @throws StrataError `field.invalid` for what is no message; HistoryError `trigger.missing` for a model Content
 */
export async function messageOf(
  input: ConversationInput,
  thread: CoreThread,
  watch: Watch,
): Promise<Message> {
  // A field that is missing in what the caller received is not JSON that is wrong.
  if (typeof input !== 'string' && Object(input) !== input)
    throw invalidOption('/input', 'a text, a list of Parts, or a user Content');
  if (isBlob(input)) throw invalidOption('/input', 'a list with the Blob in it: [blob]');
  if (isStep(input)) return contentOf([input], watch.signal);
  if (Array.isArray(input)) return contentOf(input, watch.signal);
  refuseModelContent(input, thread);
  return input;
}

/** A blank text resumes. */
export const isBlank = (input: Message): boolean =>
  typeof input === 'string' && input.trim() === '';

/** Returns whether the thread ends in a user turn of this text alone. */
export const isUnanswered = (text: string, thread: CoreThread): boolean =>
  thread.state().kind === 'user' && thread.onlyText() === text;

function listIn(bytes: Uint8Array): unknown[] {
  try {
    const list: unknown = JSON.parse(decodeDocument(bytes));
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

// An input that is not JSON is refused when it is appended; OpenAI's name of the role is repaired there.
function refuseModelContent(input: Message, thread: CoreThread): void {
  if (typeof input === 'string') return;
  const bytes = bytesOf(input);
  // 0x5b: a list.
  if (bytes?.find((byte) => byte > 32) === 0x5b) checkUserSteps(listIn(bytes));
  const role: unknown = bytes ? thread.roleOf(bytes) : Object(input).role;
  if (typeof role !== 'string' || !/^(assistant|model)$/i.test(role)) return;
  const message = `A message is a user Content, not one with the role '${role}'. Turns that came before are the option \`history\`.`;
  throw new HistoryError('trigger.missing', message);
}
