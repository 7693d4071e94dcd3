// Stores conversations in memory, for tests and for conversations that end with the process.
import { checkLines, type ConversationStore } from '../sdk/chat/store.js';

interface StoredConversation {
  lines: string[];
  bytes: Map<string, Uint8Array>;
}

/** A store in memory. */
export class MemoryStore implements ConversationStore {
  readonly #conversations = new Map<string, StoredConversation>();

  async read(id: string): Promise<string[]> {
    return [...this.#of(id).lines];
  }

  async write(id: string, at: number, lines: string[], expected?: number): Promise<void> {
    const stored = this.#of(id);
    checkLines(stored.lines.length, expected);
    stored.lines = [...stored.lines.slice(0, at), ...lines];
  }

  async store(id: string, name: string, bytes: Uint8Array): Promise<void> {
    this.#of(id).bytes.set(name, bytes.slice());
  }

  async readStored(id: string, name: string): Promise<Uint8Array | undefined> {
    return this.#of(id).bytes.get(name)?.slice();
  }

  async list(): Promise<string[]> {
    const stored = [...this.#conversations].filter(([, { lines }]) => lines.length > 0);
    return stored.map(([id]) => id);
  }

  async delete(id: string): Promise<void> {
    this.#conversations.delete(id);
  }

  #of(id: string): StoredConversation {
    const stored = this.#conversations.get(id) ?? { lines: [], bytes: new Map() };
    this.#conversations.set(id, stored);
    return stored;
  }
}
