// Writes the answer of a conversation as the body of a response with the AI SDK's UI message stream.
import type { ConversationEvent } from '../../sdk/types/conversation-event.js';
import { codeOf, UIChunks, type UIChunk } from './ui-chunks.js';

const encoder = new TextEncoder();
const eventOf = (data: string) => encoder.encode(`data: ${data}\n\n`);

/** The source of the body. */
export class UIMessageSource {
  readonly #reader: ReadableStreamDefaultReader<ConversationEvent>;
  readonly #chunks = new UIChunks();
  #isStarted = false;
  #isOver = false;

  constructor(reader: ReadableStreamDefaultReader<ConversationEvent>) {
    this.#reader = reader;
  }

  /** Writes what the next events say. */
  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const write = (chunk: UIChunk) => controller.enqueue(eventOf(JSON.stringify(chunk)));
    if (!this.#isStarted) {
      this.#isStarted = true;
      return write({ type: 'start' });
    }
    const chunks = await this.#next();
    if (chunks) return chunks.forEach(write);
    controller.enqueue(eventOf('[DONE]'));
    controller.close();
  }

  // Returns the next chunks, or undefined at the end. What follows `done`, such as the store's work, is awaited.
  async #next(): Promise<UIChunk[] | undefined> {
    try {
      while (!this.#isOver) {
        const { done, value } = await this.#reader.read();
        this.#isOver = done;
        const chunks = done ? this.#chunks.end() : this.#chunks.take(value);
        if (chunks.length > 0) return chunks;
      }
      return undefined;
    } catch (error) {
      this.#isOver = true;
      // Nobody else learns what happened: the page gets only a code.
      if (codeOf(error) !== undefined)
        console.error('The answer of toUIMessageResponse() failed:', error);
      return this.#chunks.fail(error);
    }
  }
}
