// Why this file exists: what a place that keeps conversations must be able to do: little, so that a map, a
// folder, a database and a Durable Object all can.

/**
 * Keeps conversations as lines of text, and whole tool results beside them. One conversation has one
 * writer at a time; the caller sees to that.
 */
export interface ConversationStore {
  /** The lines of a conversation, in order; none where there is no such conversation. */
  read(id: string): Promise<string[]>;
  /** Puts `lines` in place of all lines from number `at` on. All of it happens, or nothing. */
  write(id: string, at: number, lines: string[]): Promise<void>;
  /** Keeps bytes under a name of their own. */
  store(id: string, name: string, bytes: Uint8Array): Promise<void>;
  /** What was kept under this name. */
  readStored(id: string, name: string): Promise<Uint8Array | undefined>;
  /** Forgets a conversation and all that was kept for it. */
  delete(id: string): Promise<void>;
}
