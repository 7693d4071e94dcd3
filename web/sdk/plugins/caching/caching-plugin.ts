// Why this file exists: the caches of one conversation: the core's planner says what each request should do,
// this does it. Whatever goes wrong here is an event; the request goes out all the same.
import type { Usage } from '../../types/response.js';
import type { ConversationPlugin, PluginContext } from '../plugin.js';
import { messageOf } from '../../base/error-message.js';
import { PromptScale } from '../prompt-scale.js';
import type { AssembleInput, Assembled } from '../../types/assemble.js';
import type { CachePlan, CachePreview } from '../../types/cache-plan.js';
import type { Thread } from '../../types/thread.js';
import { CacheIndex } from './cache-index.js';
import type { CachingOptions } from './options.js';
import { annotate, weighed, type Weighed } from './reason.js';
import { CreateBackoff } from './create-backoff.js';
import { MemoryCacheRegistry, type CacheEntry } from './registry.js';
import { createCache, deleteCache, extendCache } from './cache-service.js';

type Last = { promptTokens: number; cachedTokens: number; explicitTokens: number };

/** What one request was planned to do, until its answer is there. */
interface Planned {
  plan: Weighed;
  failure: string | undefined;
  used: CacheEntry | undefined;
  estimated: number;
}

const count = (value: unknown) => (typeof value === 'number' ? value : 0);

/** The part of a conversation that owns its CachedContents. */
export class CachingPlugin implements ConversationPlugin {
  readonly name = 'caching';
  readonly #notes: CacheIndex;
  readonly #timeoutMs: number;
  readonly #refusals = new CreateBackoff();
  #opened = false;
  #entry: CacheEntry | undefined;
  #state: CachePlan['state'] | undefined;
  #minimum: number | undefined;
  #last: Last | undefined;
  #planned: Planned | undefined;
  /** Caches that another one has replaced. */
  #replaced: CacheEntry[] = [];
  /** A cache was lost: the next request goes without one. */
  #inline = false;
  readonly #scale = new PromptScale();

  constructor({ registry, session, createTimeoutMs = 30_000 }: CachingOptions = {}) {
    this.#notes = new CacheIndex(registry ?? new MemoryCacheRegistry(), session);
    this.#timeoutMs = createTimeoutMs;
  }

  async beforeRequest(
    thread: Thread,
    input: AssembleInput,
    context: PluginContext,
  ): Promise<AssembleInput> {
    this.#planned = undefined;
    // The caller keeps caches alone.
    if (input.cache !== undefined) return input;
    await this.#open(context);
    if (this.#inline) {
      this.#inline = false;
      return input;
    }
    const preview = this.#look(thread, input, context);
    const plan = this.#plan(preview, context);
    const failure = await this.#carryOut(plan, thread, input, context);
    const used = this.#entry;
    this.#planned = { plan, failure, used, estimated: preview.promptTokens };
    return used ? { ...input, cache: used } : input;
  }

  beforeSend({ manifest }: Assembled): void {
    if (this.#planned) annotate(manifest.cache, this.#planned.plan, this.#planned.failure);
  }

  async afterAnswer(usage: Usage, _: unknown, context: PluginContext): Promise<void> {
    const planned = this.#planned;
    const promptTokens = count(usage['promptTokenCount']);
    if (planned && promptTokens > 0) {
      const cachedTokens = count(usage['cachedContentTokenCount']);
      this.#last = { promptTokens, cachedTokens, explicitTokens: planned.used?.tokens ?? 0 };
      this.#scale.learn(planned.estimated, promptTokens);
    }
    if (planned?.plan.decision === 'extend') await this.#extend(planned.plan, context);
    await this.#deleteReplaced(context);
    await this.#notes.saveSession(context.model, { entry: this.#entry, state: this.#state });
  }

  async onCacheLost(name: string): Promise<void> {
    this.#inline = true;
    this.#planned = undefined;
    if (this.#entry?.name !== name) return;
    await this.#notes.forgetEntry(this.#entry);
    this.#entry = undefined;
  }

  async #open({ model }: PluginContext): Promise<void> {
    if (this.#opened) return;
    this.#opened = true;
    this.#minimum = await this.#notes.minimum(model);
    const note = await this.#notes.session(model);
    this.#entry = note?.entry;
    this.#state = note?.state;
  }

  // Drops a cache that has ended or no longer holds what this request would leave out.
  #look(thread: Thread, input: AssembleInput, { now }: PluginContext): CachePreview {
    // An end that can't be read has come.
    if (this.#entry && !(this.#entry.expires > Date.parse(now()))) this.#entry = undefined;
    const cache = this.#entry;
    if (!cache) return thread.cachePreview(input);
    const preview = thread.cachePreview({ ...input, cache });
    if (preview.usable) return preview;
    this.#replaced.push(cache);
    this.#entry = undefined;
    return thread.cachePreview(input);
  }

  #plan(preview: CachePreview, { strata, model, now }: PluginContext): Weighed {
    const cacheableTokens = this.#scale.of(preview.tokens);
    const promptTokens = this.#scale.of(preview.promptTokens);
    const cache = this.#entry && {
      tokens: this.#entry.tokens,
      ends: this.#entry.expires / 1000,
    };
    const plan = strata.planCache({
      ...{ model, promptTokens, cacheableTokens, cache },
      now: Date.parse(now()) / 1000,
      minimumTokens: this.#minimum,
      last: this.#last,
      state: this.#state,
    });
    this.#state = plan.state;
    this.#last = undefined;
    return weighed(plan, cacheableTokens, cache?.tokens ?? 0);
  }

  /** Makes the cache that the plan wants; tells why there is none. */
  async #carryOut(
    { decision, ttlSeconds }: Weighed,
    thread: Thread,
    input: AssembleInput,
    context: PluginContext,
  ): Promise<string | undefined> {
    if (decision !== 'create' && decision !== 'roll') return undefined;
    const seconds = Date.parse(context.now()) / 1000;
    if (!this.#refusals.mayAsk(seconds)) return 'a cache was refused shortly before';
    try {
      const draft = thread.cacheBody({ ...input, bufferTokens: 0 });
      const known = await this.#known(draft.key, context);
      const entry = known ?? (await createCache(context, draft, ttlSeconds, this.#timeoutMs));
      if (this.#entry) this.#replaced.push(this.#entry);
      this.#entry = entry;
      this.#refusals.succeed();
      if (known) return undefined;
      context.emit({ type: 'cache', action: 'created', name: entry.name, tokens: entry.tokens });
      await this.#notes.saveEntry(entry, ttlSeconds);
      return undefined;
    } catch (error) {
      if (context.signal.aborted) throw error;
      return this.#refused(error, seconds, context);
    }
  }

  async #known(key: string, { now, model }: PluginContext): Promise<CacheEntry | undefined> {
    const entry = await this.#notes.entry(key);
    const fits = entry?.model === model && entry.expires > Date.parse(now());
    return fits ? entry : undefined;
  }

  async #refused(error: unknown, seconds: number, context: PluginContext): Promise<string> {
    const reason = messageOf(error);
    const minimum = this.#refusals.note(error, seconds);
    // Nothing was paid.
    this.#state = { ...this.#state, written: 0 };
    if (minimum !== undefined) {
      this.#minimum = minimum;
      await this.#notes.saveMinimum(context.model, minimum);
    }
    context.emit({ type: 'cache', action: 'refused', reason });
    return `no cache could be made (${reason})`;
  }

  async #extend({ ttlSeconds }: Weighed, context: PluginContext): Promise<void> {
    const entry = this.#entry;
    if (!entry) return;
    try {
      this.#entry = await extendCache(context, entry, ttlSeconds);
      const { name, tokens } = entry;
      context.emit({ type: 'cache', action: 'extended', name, tokens });
      await this.#notes.saveEntry(this.#entry, ttlSeconds);
    } catch (error) {
      if (context.signal.aborted) throw error;
      // It ends when it ends, or is gone already: the next request will see.
      context.emit({ type: 'cache', action: 'refused', reason: messageOf(error) });
    }
  }

  // Only caches with turns in them: others may serve another conversation, and end soon.
  async #deleteReplaced(context: PluginContext): Promise<void> {
    for (let entry = this.#replaced.pop(); entry; entry = this.#replaced.pop()) {
      if (entry.turns === 0) continue;
      await this.#notes.forgetEntry(entry);
      const { name, tokens } = entry;
      try {
        await deleteCache(context, name);
        context.emit({ type: 'cache', action: 'deleted', name, tokens });
      } catch (error) {
        if (context.signal.aborted) throw error;
      }
    }
  }
}
