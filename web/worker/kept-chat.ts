// Why this file exists: a conversation that the Worker keeps lives in a Durable Object, one object each: load
// spreads over the platform, and each thread has one writer.
import {
  Conversation,
  DurableObjectStore,
  GeminiClient,
  load,
  type ObjectStorage,
} from '../index.js';
import { parse, settingsOf } from './chat.js';
import { clientOf, type Env } from './env.js';
import { eventsOf, streamTo } from './event-stream.js';
import { errorResponse, HttpError, readText } from './http.js';

/** The object's storage holds one conversation. */
const id = 'chat';

/**
 * The Durable Object behind `/chat/<name>`. POST is one send, and goes on after a crash; GET gives the thread,
 * one turn a line; DELETE forgets it.
 */
export class KeptChat {
  readonly #env: Env;
  readonly #store: DurableObjectStore;
  #chat: Promise<Conversation> | undefined;

  constructor({ storage }: { storage: ObjectStorage }, env: Env) {
    this.#env = env;
    this.#store = new DurableObjectStore(storage);
  }

  async fetch(request: Request): Promise<Response> {
    try {
      if (request.method === 'POST') return await this.#send(request);
      if (request.method === 'DELETE') return await this.#forget();
      return await this.#read();
    } catch (error) {
      return errorResponse(error);
    }
  }

  async #send(request: Request): Promise<Response> {
    // An unusable key is told before anything is kept.
    clientOf(this.#env);
    const { message, history } = parse(await readText(request));
    if (history) throw new HttpError(400, 'history.invalid', 'The history is kept here');
    const chat = await this.#opened();
    const kept = () => ({ type: 'kept' as const, turns: chat.thread.length });
    return streamTo(request, (left) => eventsOf(chat, message, kept, left));
  }

  async #read(): Promise<Response> {
    const { thread } = await this.#opened();
    const headers = { 'content-type': 'application/x-ndjson; charset=utf-8' };
    return new Response(thread.save() as Uint8Array<ArrayBuffer>, { headers });
  }

  // Refused while a send is read: it would write its turns again.
  async #forget(): Promise<Response> {
    await (await this.#opened()).rewind(0);
    await this.#store.delete(id);
    this.#chat = undefined;
    return new Response(null, { status: 204 });
  }

  // All requests share one conversation, so that sends queue behind each other.
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
    const kept = { store: this.#store, id, concurrent: 'queue' as const };
    const settings = { ...settingsOf(this.#env), ...kept };
    return Conversation.open(await load(), clientOrNone(this.#env), settings);
  }
}

// What is only read or forgotten needs no usable key.
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
