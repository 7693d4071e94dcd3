// Stores one conversation in a Durable Object, which makes it the only writer of the thread.
import {
  Conversation,
  DurableObjectStore,
  GeminiClient,
  load,
  type ObjectStorage,
} from '../index.js';
import { conversationOptions, parseChatRequest } from './chat.js';
import { clientOf, type Env } from './env.js';
import { errorResponse } from './error-body.js';
import { EventStream } from './event-stream.js';
import { HttpError } from '../sdk/server/http-error.js';
import { readText } from './http.js';
import { SendQueue } from './send-queue.js';
import { Send } from './send.js';
import { visibleThread } from './visible.js';

// The only conversation in the object's storage.
const id = 'chat';

/** The subset of a Durable Object's state that this class uses. */
interface ObjectState {
  storage: ObjectStorage;
  waitUntil?(work: Promise<unknown>): void;
}

/**
 * The Durable Object of `/chat/<name>`. POST runs one send. GET returns the stored thread, one line of JSON for each
 * turn. DELETE aborts all sends and deletes the thread. Deployments name this class in their migrations
 * (wrangler.jsonc), so it cannot be renamed without a migration.
 */
export class KeptChat {
  readonly #env: Env;
  readonly #state: ObjectState;
  readonly #store: DurableObjectStore;
  readonly #queue = new SendQueue();
  #chat: Promise<Conversation> | undefined;

  constructor(state: ObjectState, env: Env) {
    this.#env = env;
    this.#state = state;
    this.#store = new DurableObjectStore(state.storage);
  }

  async fetch(request: Request): Promise<Response> {
    try {
      if (request.method === 'POST') return await this.#send(request);
      if (request.method === 'DELETE') return await this.#delete();
      return await this.#read();
    } catch (error) {
      return errorResponse(error, this.#env);
    }
  }

  async #send(request: Request): Promise<Response> {
    // Throws for an unusable key or setting before anything is stored.
    clientOf(this.#env);
    const send = new Send(this.#env);
    const { message, history } = parseChatRequest(await readText(request));
    if (history)
      throw new HttpError(
        400,
        'history.invalid',
        '"history" is not allowed: the thread is stored here',
      );
    await this.#usableChat();
    const reader = new EventStream(request, this.#env);
    const open = () => this.#usableChat();
    const sent = this.#queue.add(send, () =>
      send.run(reader, message, open, ({ thread }) => ({ type: 'stored', turns: thread.length })),
    );
    // The send continues after its reader disconnects, so the object must stay alive until the send ends.
    this.#state.waitUntil?.(sent);
    return reader.response;
  }

  async #read(): Promise<Response> {
    const { thread } = await this.#usableChat();
    const headers = { 'content-type': 'application/x-ndjson; charset=utf-8' };
    return new Response(visibleThread(thread, this.#env), { headers });
  }

  async #delete(): Promise<Response> {
    await this.#queue.afterAborting(async () => {
      // Waits for the writes that an aborted send started.
      await (await this.#usableChat()).rewind(0);
      await this.#store.delete(id);
      this.#chat = undefined;
    });
    return new Response(null, { status: 204 });
  }

  // Returns the conversation that all requests share. After a trap it is opened again from the store.
  async #usableChat(): Promise<Conversation> {
    const chat = await this.#shared();
    if (isUsable(chat)) return chat;
    this.#chat = undefined;
    return this.#shared();
  }

  #shared(): Promise<Conversation> {
    this.#chat ??= this.#open();
    this.#chat.catch(() => (this.#chat = undefined));
    return this.#chat;
  }

  async #open(): Promise<Conversation> {
    const options = { ...conversationOptions(this.#env), store: this.#store, id };
    return Conversation.open(await load(), clientOrFailing(this.#env), options);
  }
}

// Returns a client whose requests fail if the key is unusable, because reading and deleting need no key.
function clientOrFailing(env: Env): GeminiClient {
  try {
    return clientOf(env);
  } catch {
    return new GeminiClient({ fetch: () => Promise.reject(new TypeError('no usable key')) });
  }
}

// After a trap, every access to the thread throws.
function isUsable({ thread }: Conversation): boolean {
  try {
    return thread.length >= 0;
  } catch {
    return false;
  }
}
