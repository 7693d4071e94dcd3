// Manages the CachedContents of one conversation. The core's planner decides what each request should do; this
// plugin does it. A failure is an event, and the request is sent without a cache.
import type { UsageMetadata } from '../../sdk/types/gemini/response.js';
import { messageOf } from '../../sdk/internal/messages.js';
import type { ConversationPlugin, PluginContext } from '../../sdk/chat/plugin.js';
import { PromptScale } from '../prompt-scale.js';
import type { AssembleInput, Assembled } from '../../sdk/types/assemble.js';
import type { Manifest, CachePlan, CachePreview } from '../../sdk/types/manifest.js';
import type { Diagnostic } from '../../sdk/types/diagnostic.js';
import type { Thread } from '../../sdk/types/thread.js';
import type { CachingOptions, CacheEntry } from '../../sdk/chat/plugin-options.js';
import {
  cacheIndexOf,
  createCache,
  CreateBackoff,
  deleteCache,
  extendCache,
  reliableUntil,
  type CacheCall,
  type CacheIndex,
  type LastUsage,
} from './caches.js';

/** The plan for the current request, until its answer arrives. */
interface Planned {
  plan: PlanNumbers;
  failure: string | undefined;
  used: CacheEntry | undefined;
  estimated: number;
}

/** The part of an entry that `assemble` takes. */
const cacheOf = ({ name, model, turns, key }: CacheEntry) => ({ name, model, turns, key });

const notRecorded =
  'no cache is created, because neither a store nor a registry would find it again for the next message';

const notRecordedWarning: Diagnostic = {
  ...{ code: 'caching.not_recorded', severity: 'warning', path: '/caching' },
  message:
    '`caching` has no place to record caches, so none is created: a conversation that is opened for each message would ' +
    'pay for one each time. Open the conversation with `store` and `id`, or pass a registry, such as ' +
    '`caching: { registry: new MemoryCacheRegistry() }` for a conversation that stays in memory.',
};

const count = (value: unknown) => (typeof value === 'number' ? value : 0);

/** The plugin that manages a conversation's CachedContents. */
export class CachingPlugin implements ConversationPlugin {
  readonly name = 'caching';
  readonly #options: CachingOptions;
  /** Set before the first request; undefined if caches can be recorded nowhere. */
  #index: CacheIndex | undefined;
  readonly #timeoutMs: number;
  readonly #backoff = new CreateBackoff();
  #restored = false;
  #entry: CacheEntry | undefined;
  #state: CachePlan['state'] | undefined;
  #minimum: number | undefined;
  #last: LastUsage | undefined;
  #planned: Planned | undefined;
  /** Caches that were replaced and are not deleted yet. */
  #replaced: CacheEntry[] = [];
  /** The cache was lost, so the next request is sent without one. */
  #skipNext = false;
  readonly #scale = new PromptScale();

  constructor(options: CachingOptions = {}) {
    this.#options = options;
    this.#timeoutMs = options.createTimeoutMs ?? 30_000;
  }

  async beforeRequest(
    thread: Thread,
    input: AssembleInput,
    context: PluginContext,
  ): Promise<AssembleInput> {
    this.#planned = undefined;
    // The caller manages the cache.
    if (input.cache !== undefined) return input;
    await this.#restore(context);
    if (!this.#index) return input;
    if (this.#skipNext) {
      this.#skipNext = false;
      return input;
    }
    const preview = this.#preview(thread, input, context);
    const plan = this.#plan(preview, context);
    const failure = await this.#execute(plan, thread, input, context);
    const used = this.#entry;
    this.#planned = { plan, failure, used, estimated: preview.promptTokens };
    return used ? { ...input, cache: cacheOf(used) } : input;
  }

  beforeSend({ manifest }: Assembled): void {
    if (this.#planned) annotate(manifest.cache, this.#planned.plan, this.#planned.failure);
    else if (this.#restored && !this.#index) manifest.cache.reason = notRecorded;
  }

  async afterAnswer(usage: UsageMetadata, _: unknown, context: PluginContext): Promise<void> {
    const planned = this.#planned;
    const promptTokens = count(usage.promptTokenCount);
    if (planned && promptTokens > 0) {
      const cachedTokens = count(usage.cachedContentTokenCount);
      this.#last = { promptTokens, cachedTokens, explicitTokens: planned.used?.tokens ?? 0 };
      this.#scale.learn(planned.estimated, promptTokens);
    }
    if (planned?.plan.decision === 'extend') await this.#extend(planned.plan, context);
    await this.#deleteReplaced(context);
    await this.#save(context);
  }

  async #save({ model }: PluginContext): Promise<void> {
    await this.#index?.saveSession(model, {
      ...{ entry: this.#entry, state: this.#state, last: this.#last },
      ...{ scale: this.#scale.value, backoff: this.#backoff.state },
    });
  }

  async onCacheLost(name: string): Promise<void> {
    this.#skipNext = true;
    this.#planned = undefined;
    if (this.#entry?.name !== name) return;
    await this.#index?.deleteEntry(this.#entry);
    this.#entry = undefined;
  }

  async #restore({ model, notes, emit }: PluginContext): Promise<void> {
    if (this.#restored) return;
    this.#restored = true;
    this.#index = cacheIndexOf(this.#options, notes);
    if (!this.#index) return emit({ type: 'diagnostics', diagnostics: [notRecordedWarning] });
    this.#minimum = await this.#index.minimum(model);
    const { entry, state, last, scale = 1, backoff } = (await this.#index.session(model)) ?? {};
    [this.#entry, this.#state, this.#last] = [entry, state, last];
    this.#scale.value = scale;
    if (backoff) this.#backoff.restore(backoff);
  }

  // Drops a cache that has expired or does not hold what this request would leave out.
  #preview(thread: Thread, input: AssembleInput, { now }: PluginContext): CachePreview {
    // Written so that an invalid date counts as expired.
    if (this.#entry && !(this.#entry.expires > Date.parse(now()))) this.#entry = undefined;
    const cache = this.#entry;
    if (!cache) return thread.cachePreview(input);
    const preview = thread.cachePreview({ ...input, cache: cacheOf(cache) });
    if (preview.usable) return preview;
    this.#replaced.push(cache);
    this.#entry = undefined;
    return thread.cachePreview(input);
  }

  #plan(preview: CachePreview, { strata, model, backend, now }: PluginContext): PlanNumbers {
    const cacheableTokens = this.#scale.apply(preview.tokens);
    const promptTokens = this.#scale.apply(preview.promptTokens);
    const cache = this.#entry && {
      tokens: this.#entry.tokens,
      ends: this.#entry.expires / 1000,
    };
    const at = now();
    const plan = strata.planCache({
      ...{ model, backend, promptTokens, cacheableTokens, cache },
      at,
      now: Date.parse(at) / 1000,
      minimumTokens: this.#minimum,
      last: this.#last,
      state: this.#state,
    });
    this.#state = plan.state;
    this.#last = undefined;
    return planNumbers(plan, cacheableTokens, cache?.tokens ?? 0);
  }

  /** Creates the cache that the plan asks for; returns the reason if it fails. */
  async #execute(
    { decision, ttlSeconds }: PlanNumbers,
    thread: Thread,
    input: AssembleInput,
    context: PluginContext,
  ): Promise<string | undefined> {
    if (decision !== 'create' && decision !== 'roll') return undefined;
    const seconds = Date.parse(context.now()) / 1000;
    if (!this.#backoff.canAttempt(seconds)) {
      this.#billNothing();
      return 'a cache was refused shortly before';
    }
    try {
      const draft = thread.cacheBody({ ...input, bufferTokens: 0 });
      const existing = await this.#findEntry(draft.key, context);
      const { model } = context;
      const life = { model, ttl: ttlSeconds, at: seconds * 1000 };
      const entry = existing ?? (await createCache(this.#call(context), draft, life));
      if (this.#entry && this.#entry.name !== entry.name) this.#replaced.push(this.#entry);
      this.#entry = entry;
      this.#backoff.reset();
      if (existing) {
        this.#billNothing();
        return undefined;
      }
      context.emit({ type: 'cache', action: 'created', name: entry.name, tokens: entry.tokens });
      await this.#index?.saveEntry(entry, ttlSeconds);
      await this.#save(context);
      return undefined;
    } catch (error) {
      if (context.signal.aborted) throw error;
      return this.#recordRefusal(error, seconds, context);
    }
  }

  async #findEntry(key: string, { now, model }: PluginContext): Promise<CacheEntry | undefined> {
    const entry = await this.#index?.entry(key);
    const fits = entry?.model === model && entry.expires > Date.parse(now());
    return fits ? entry : undefined;
  }

  async #recordRefusal(error: unknown, seconds: number, context: PluginContext): Promise<string> {
    const reason = messageOf(error);
    const minimum = this.#backoff.recordRefusal(error, seconds, this.#minimum);
    this.#billNothing();
    if (minimum !== undefined) {
      this.#minimum = minimum;
      await this.#index?.saveMinimum(context.model, minimum);
    }
    await this.#save(context);
    context.emit({ type: 'cache', action: 'refused', reason });
    return `no cache could be made (${reason})`;
  }

  // The plan expected the price of a new cache.
  #billNothing(): void {
    this.#state = { ...this.#state, written: 0 };
  }

  #call({ client, signal }: PluginContext): CacheCall {
    return { client, signal, timeoutMs: this.#timeoutMs };
  }

  async #extend({ ttlSeconds: ttl }: PlanNumbers, context: PluginContext): Promise<void> {
    const entry = this.#entry;
    if (!entry) return;
    const at = Date.parse(context.now());
    // Another conversation may have extended it for longer.
    const stored = await this.#findEntry(entry.key, context);
    if (stored?.name === entry.name && stored.expires >= reliableUntil(at, ttl)) {
      this.#entry = stored;
      return;
    }
    try {
      this.#entry = await extendCache(this.#call(context), entry, { ttl, at });
      const { name, tokens } = entry;
      context.emit({ type: 'cache', action: 'extended', name, tokens });
      await this.#index?.saveEntry(this.#entry, ttl);
    } catch (error) {
      if (context.signal.aborted) throw error;
      // The cache expires as before or no longer exists; the next request finds out.
      context.emit({ type: 'cache', action: 'refused', reason: messageOf(error) });
    }
  }

  // Deletes only caches with turns: those without may serve other conversations, and they expire soon.
  async #deleteReplaced(context: PluginContext): Promise<void> {
    for (let entry = this.#replaced.pop(); entry; entry = this.#replaced.pop()) {
      if (entry.turns === 0) continue;
      await this.#index?.deleteEntry(entry);
      const { name, tokens } = entry;
      try {
        await deleteCache(this.#call(context), name);
        context.emit({ type: 'cache', action: 'deleted', name, tokens });
      } catch (error) {
        if (context.signal.aborted) throw error;
      }
    }
  }
}

type CacheNote = Manifest['cache'];

/** The numbers of a plan, in the form that the manifest has. */
type PlanNumbers = NonNullable<CacheNote['plan']>;

// Costs are tokens times USD per million tokens.
const usd = (cost: number) => `${(cost / 1e6).toPrecision(3)} USD`;
const tokens = (count: number) => `${Math.round(count)} tokens`;

const reasons: { [decision: string]: (plan: PlanNumbers) => string } = {
  create: (plan) =>
    `${tokens(plan.cacheableTokens)} are cached for ${plan.ttlSeconds} s: that costs ` +
    `${usd(plan.extraCost)} more than not to, and saves ${usd(plan.savingPerRequest)} in each of ` +
    `about ${plan.expectedRequests.toFixed(1)} further requests`,
  roll: (plan) =>
    `a cache of ${tokens(plan.cacheableTokens)} replaces one of ${tokens(plan.cachedTokens)}: it costs ` +
    `${usd(plan.extraCost)} more now, ${usd(plan.overpaid)} were overpaid for what the old one lacks, ` +
    `and ${usd(plan.savingPerRequest)} would be in each further request`,
  extend: (plan) =>
    `${tokens(plan.cachedTokens)} come from the cache, which lives ${plan.ttlSeconds} s more: that is ` +
    'cheaper than another one while requests come at this pace',
  hit: (plan) =>
    `${tokens(plan.cachedTokens)} come from the cache; a new one of ${tokens(plan.cacheableTokens)} ` +
    `would cost ${usd(plan.extraCost)} more now, and ${usd(plan.overpaid)} were overpaid so far`,
  not_worth: (plan) =>
    `a cache of ${tokens(plan.cacheableTokens)} would cost ${usd(plan.extraCost)} more than it is ` +
    `expected to save: ${usd(plan.savingPerRequest)} in each of about ` +
    `${plan.expectedRequests.toFixed(1)} further requests`,
  below_minimum: (plan) =>
    `about ${tokens(plan.cacheableTokens)} could be cached; a cache of this model needs ` +
    `${plan.minimumTokens}`,
  unsupported: () => 'the model has no explicit caching',
};

/** Returns the numbers of a plan for the manifest. */
function planNumbers(
  { state: _, ...plan }: CachePlan,
  cacheableTokens: number,
  cachedTokens: number,
): PlanNumbers {
  return { ...plan, ttlSeconds: Math.round(plan.ttlSeconds), cacheableTokens, cachedTokens };
}

/** Writes a plan into the manifest. `failure` says why no cache was created. */
function annotate(note: CacheNote, plan: PlanNumbers, failure: string | undefined): void {
  note.plan = plan;
  if (failure !== undefined) {
    note.reason = `${failure}; ${note.reason}`;
    return;
  }
  // If the assembled request contradicts the plan about using a cache, its own reason stays.
  const uses = plan.decision !== 'not_worth' && plan.decision !== 'below_minimum';
  if (uses !== (note.decision === 'hit') && plan.decision !== 'unsupported') return;
  note.decision = plan.decision;
  note.reason = reasons[plan.decision]?.(plan) ?? note.reason;
}
