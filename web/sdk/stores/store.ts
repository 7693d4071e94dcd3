// Defines the storage interface of conversations, small enough for a map, a folder, a database or a Durable Object.

/**
 * Stores conversations as lines of text, and whole tool results as bytes. The caller ensures that a
 * conversation has only one writer at a time.
 */
export interface ConversationStore {
  /** Returns the lines of a conversation, in order; an empty array if it does not exist. */
  read(id: string): Promise<string[]>;
  /** Replaces all lines from index `at` with `lines`, atomically. */
  write(id: string, at: number, lines: string[]): Promise<void>;
  /** Stores bytes under a name. */
  store(id: string, name: string, bytes: Uint8Array): Promise<void>;
  /** Returns the bytes stored under this name. */
  readStored(id: string, name: string): Promise<Uint8Array | undefined>;
  /** Deletes a conversation and all its stored bytes. */
  delete(id: string): Promise<void>;
}
