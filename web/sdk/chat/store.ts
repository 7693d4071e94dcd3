// Defines the storage interface of conversations, small enough for a map, a folder, a database or a Durable Object, and
// what stores share.
import { StrataError } from '../internal/errors.js';

/**
 * Stores conversations as lines of text, and whole tool results as bytes. The caller ensures that a
 * conversation has only one writer at a time.
 */
export interface ConversationStore {
  /**
   * Returns the lines of a conversation, in order; an empty array if it does not exist.
   *
   * @throws any error of the storage, which ends the send
   */
  read(id: string): Promise<string[]>;
  /**
   * Replaces all lines from index `at` with `lines`, atomically. `expected` is the number of lines that the writer
   * knows of, if it does: a store should refuse to write if it has another number, because somebody else has written.
   *
   * @throws StrataError `store.conflict` if the store has more or fewer lines than expected; any error of the storage,
   *   which ends the send
   */
  write(id: string, at: number, lines: string[], expected?: number): Promise<void>;
  /**
   * Stores bytes under a name.
   *
   * @throws any error of the storage, which ends the send
   */
  store(id: string, name: string, bytes: Uint8Array): Promise<void>;
  /**
   * Returns the bytes stored under this name.
   *
   * @throws any error of the storage, which ends the send
   */
  readStored(id: string, name: string): Promise<Uint8Array | undefined>;
  /**
   * Returns the ids of the stored conversations, in no particular order. Optional: this package does not call it.
   *
   * @throws any error of the storage
   */
  list?(): Promise<string[]>;
  /** Returns where a conversation is, such as the path of its file, for error messages. Optional. */
  placeOf?(id: string): string;
  /**
   * Deletes a conversation and all its stored bytes.
   *
   * @throws any error of the storage, which ends the send
   */
  delete(id: string): Promise<void>;
}

/**
 * Compares the number of stored lines with the one that the writer knows of, if it does.
 *
 * @throws StrataError `store.conflict`
 */
export function checkLines(stored: number, expected = stored): void {
  if (stored === expected) return;
  throw new StrataError(
    'store.conflict',
    `Another writer has changed this conversation: it has ${stored} lines, not ${expected}. Open it again.`,
  );
}

/**
 * Returns a name in percent encoding.
 *
 * @param longest the most characters of the encoded name
 * @throws StrataError `field.invalid` for a lone surrogate and for a name that is too long
 */
export function encodedName(
  name: string,
  longest: number,
  encode: (text: string) => string = encodeURIComponent,
): string {
  let encoded: string;
  try {
    encoded = encode(name);
  } catch {
    throw new StrataError(
      'field.invalid',
      'The id of a conversation must be Unicode text: this one has a lone surrogate, half of a character such as an emoji.',
    );
  }
  if (encoded.length <= longest) return encoded;
  throw new StrataError(
    'field.invalid',
    `The id of a conversation must have at most ${longest} characters in percent encoding, not ${encoded.length}. Use a hash of it.`,
  );
}
