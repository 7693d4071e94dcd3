// A Worker with a cache registry in Workers KV or in the storage of a Durable Object, for registry.test.mjs. Each
// request runs a conversation with one question; the emulator lives as long as the isolate.
import { Conversation, GeminiClient, load } from 'prompt-strata';
import { DurableCacheRegistry, KvCacheRegistry } from 'prompt-strata/stores';
import { createEmulator } from 'prompt-strata/testing';
import { loadChecker } from 'prompt-strata/check';

const model = 'gemini-3.8-flash';
const rules = 'Answer in one sentence, and name your sources. '.repeat(800);
const api = createEmulator();

async function ask(registry) {
  const calls = [];
  const fetch = (url, init) => {
    calls.push(`${init.method} ${new URL(url).pathname.split('/').at(-1).split(':').at(-1)}`);
    return api(url, init);
  };
  const strata = await load();
  const checker = await loadChecker();
  const client = new GeminiClient({ fetch, retry: false });
  const settings = { model, static: { text: rules }, caching: { registry } };
  const chat = new Conversation(strata, client, settings);
  const events = [];
  const faults = [];
  for await (const event of chat.send('Hello')) {
    events.push(event.type);
    if (event.type !== 'request') continue;
    const { diagnostics } = checker.lint(event.body, { model });
    faults.push(...diagnostics.filter(({ severity }) => severity === 'error'));
  }
  return Response.json({ calls, events, faults });
}

export class Keeper {
  #state;

  constructor(state) {
    this.#state = state;
  }

  fetch() {
    return ask(new DurableCacheRegistry(this.#state.storage));
  }
}

export default {
  fetch(request, env) {
    if (new URL(request.url).pathname === '/kv') return ask(new KvCacheRegistry(env.KV));
    return env.KEEPER.get(env.KEEPER.idFromName('one')).fetch(request);
  },
};
