// Keeps one conversation in a Durable Object: load spreads over the platform, and each thread has one writer.
import {
  Conversation,
  DurableObjectStore,
  GeminiClient,
  load,
  type ObjectStorage,
} from '../index.js';
import { parse, settingsOf } from './chat.js';
import { clientOf, type Env } from './env.js';
import { errorResponse } from './error-body.js';
import { EventStream } from './event-stream.js';
import { HttpError } from './http-error.js';
import { readText } from './http.js';
import { SendQueue } from './send-queue.js';
import { Send } from './send.js';
import { visibleThread } from './visible.js';

/** The object's storage holds one conversation. */
const id = 'chat';

/** The subset of a Durable Object's state that is used. */
interface ObjectState {
  storage: ObjectStorage;
  waitUntil?(work: Promise<unknown>): void;
}

/**
 * The Durable Object behind `/chat/<name>`. POST is one send, which may resume an earlier one; GET returns the
 * thread, one turn a line; DELETE aborts all sends and deletes the thread.
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
    // An unusable key or setting is reported before anything is stored.
    clientOf(this.#env);
    const send = new Send(this.#env);
    const { message, history } = parse(await readText(request));
    if (history) throw new HttpError(400, 'history.invalid', 'The history is kept here');
    await this.#opened();
    const reader = new EventStream(request, this.#env);
    const open = () => this.#opened();
    const sent = this.#queue.add(send, () =>
      send.run(reader, message, open, ({ thread }) => ({ type: 'kept', turns: thread.length })),
    );
    // The send outlives its reader, and the object has to outlive the send.
    this.#state.waitUntil?.(sent);
    return reader.response;
  }

  async #read(): Promise<Response> {
    const { thread } = await this.#opened();
    const headers = { 'content-type': 'application/x-ndjson; charset=utf-8' };
    return new Response(visibleThread(thread, this.#env), { headers });
  }

  async #delete(): Promise<Response> {
    await this.#queue.afterAborting(async () => {
      // Waits for writes that an aborted send has begun.
      await (await this.#opened()).rewind(0);
      await this.#store.delete(id);
      this.#chat = undefined;
    });
    return new Response(null, { status: 204 });
  }

  // All requests share one conversation.
  async #opened(): Promise<Conversation> {
    const chat = await this.#shared();
    if (isAlive(chat)) return chat;
    this.#chat = undefined;
    return this.#shared();
  }

  #shared(): Promise<Conversation> {
    this.#chat ??= this.#open();
    this.#chat.catch(() => (this.#chat = undefined));
    return this.#chat;
  }

  async #open(): Promise<Conversation> {
    const settings = { ...settingsOf(this.#env), store: this.#store, id };
    return Conversation.open(await load(), clientOrNone(this.#env), settings);
  }
}

// Reading and deleting need no usable key.
function clientOrNone(env: Env): GeminiClient {
  try {
    return clientOf(env);
  } catch {
    return new GeminiClient({ fetch: () => Promise.reject(new TypeError('no usable key')) });
  }
}

// After a trap of its core a conversation is dead; what it had stored is not.
function isAlive({ thread }: Conversation): boolean {
  try {
    return thread.length >= 0;
  } catch {
    return false;
  }
}
