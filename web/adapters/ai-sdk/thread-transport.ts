// A ChatTransport of the AI SDK for threads that a Worker keeps: the page talks to the Worker, and needs no route.
import { StrataError } from '../../sdk/internal/errors.js';
import type { ErrorCode } from '../../sdk/types/codes.js';
import * as must from '../../sdk/internal/options.js';
import type { RemoteEvent, RemoteThread } from '../../remote/index.js';
import { UIChunks, type UIChunk } from '../ui-stream/ui-chunks.js';
import { messageOf, type GivenUIMessage } from './ui-messages.js';

/** What the AI SDK passes for a message. */
export interface SendMessagesOptions {
  trigger: 'submit-message' | 'regenerate-message';
  messages: readonly GivenUIMessage[];
  abortSignal: AbortSignal | undefined;
}

async function pump(
  events: AsyncIterable<RemoteEvent>,
  write: (chunk: UIChunk) => Promise<void>,
): Promise<void> {
  const chunks = new UIChunks();
  const writeAll = async (all: readonly UIChunk[]) => {
    for (const chunk of all) await write(chunk);
  };
  await write({ type: 'start' });
  try {
    for await (const event of events) await writeAll(chunks.take(event));
    await writeAll(chunks.end());
  } catch (error) {
    await writeAll(chunks.fail(error));
  }
}

// Its writer waits for the page, and a page that leaves ends the reading.
function streamOf(events: AsyncIterable<RemoteEvent>): ReadableStream<UIChunk> {
  const { readable, writable } = new TransformStream<UIChunk, UIChunk>();
  const writer = writable.getWriter();
  void pump(events, (chunk) => writer.write(chunk))
    .then(() => writer.close())
    .catch(() => {});
  return readable;
}

/**
 * Connects `useChat` with a thread. The thread keeps the history, so only the last message is sent; the Worker finishes
 * an answer although the page is closed, and `useChat({ resume: true })` shows it again. Pass the messages that the page
 * starts with as `uiMessagesOf(await thread.history())`.
 *
 * @example
 * const thread = await connectThread({ url, key, id });
 * const transport = new ThreadTransport(thread);
 * const { messages, sendMessage } = useChat({ transport });
 */
export class ThreadTransport {
  readonly #thread: RemoteThread;

  /** @throws StrataError `field.invalid` for what is no thread */
  constructor(thread: RemoteThread) {
    must.objectWith('send', 'watch', 'state', 'history', 'rewind')(thread, '/thread');
    this.#thread = thread;
  }

  /**
   * Sends the last message, and returns the answer's chunks. To regenerate an answer, the thread goes back to the
   * message before it.
   *
   * @throws StrataError `field.invalid` without a message; RemoteError if the Worker refuses
   */
  async sendMessages(options: SendMessagesOptions): Promise<ReadableStream<UIChunk>> {
    const last = options.messages.at(-1);
    if (!last) throw new StrataError('field.invalid', 'There is no message to send.');
    const message = messageOf(last);
    if (options.trigger === 'regenerate-message') await this.#rewind();
    const { abortSignal: signal } = options;
    return streamOf(this.#thread.send(message, signal ? { signal } : {}));
  }

  /**
   * Returns the chunks of an answer that is not complete, from its start; null if there is none.
   *
   * @throws RemoteError if the Worker refuses
   */
  async reconnectToStream(): Promise<ReadableStream<UIChunk> | null> {
    const { state } = await this.#thread.state();
    return state === 'idle' ? null : streamOf(this.#last());
  }

  // The events of the last send from its start. What waits for tools of the page is continued here.
  async *#last(): AsyncGenerator<RemoteEvent, void, void> {
    for await (const event of this.#thread.watch()) {
      if (event.type === 'failed')
        throw new StrataError(event.error.code as ErrorCode, event.error.message);
      if (event.type === 'stored') return;
      if (event.type === 'waiting') return yield* this.#thread.send('');
      yield event;
    }
  }

  async #rewind(): Promise<void> {
    const history = await this.#thread.history();
    const isMessage = ({ role, parts = [] }: (typeof history)[number]) =>
      role === 'user' && parts.some((part) => !part.functionResponse);
    const index = history.findLastIndex(isMessage);
    if (index >= 0) await this.#thread.rewind(index);
  }
}
