// Uses the package with the types of Cloudflare Workers.
import { Conversation, GeminiClient, load } from 'prompt-strata';
import { DurableCacheRegistry, DurableObjectStore, KvCacheRegistry } from 'prompt-strata/stores';
import { createEmulator } from 'prompt-strata/testing';
import { createGateway, durableObjectMemory, SignatureMemoryObject } from 'prompt-strata/gateway';
import { fetchReader } from 'prompt-strata/templates';

interface Env {
  KEY: string;
  KV: KVNamespace;
  CHATS: DurableObjectNamespace;
  SIGNATURES: DurableObjectNamespace;
}

export class Chat implements DurableObject {
  readonly #ctx: DurableObjectState;
  readonly #env: Env;

  constructor(ctx: DurableObjectState, env: Env) {
    this.#ctx = ctx;
    this.#env = env;
  }

  async fetch(request: Request): Promise<Response> {
    const client = new GeminiClient({ apiKey: this.#env.KEY, fetch });
    const chat = await Conversation.open(await load(), client, {
      model: 'm',
      store: new DurableObjectStore(this.#ctx.storage),
      id: this.#ctx.id.toString(),
      caching: { registry: new DurableCacheRegistry(this.#ctx.storage) },
    });
    let text = '';
    for await (const event of chat.send(await request.text(), { signal: request.signal }))
      if (event.type === 'text') text += event.text;
    return new Response(text);
  }
}

export const registry = (env: Env): KvCacheRegistry => new KvCacheRegistry(env.KV);
export const clients = [new GeminiClient({ fetch: createEmulator() }), new GeminiClient({ fetch })];
export const reader = fetchReader(new URL('https://example.com/'));
export const passOn = async (): Promise<Response> =>
  new GeminiClient().generate('m', new Uint8Array(), { signal: AbortSignal.timeout(1) });

export const emulated = { fetch: createEmulator() } satisfies ExportedHandler;

// The class as the runtime creates it.
export class Signatures extends SignatureMemoryObject implements DurableObject {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, { maxBytes: 16 * 1024 * 1024 });
  }
}
export const gatewayOf = (env: Env) =>
  createGateway({ memory: durableObjectMemory(env.SIGNATURES), secret: env.KEY });
