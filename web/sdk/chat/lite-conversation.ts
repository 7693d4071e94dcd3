// The Conversation of `prompt-strata/lite`: without plugins, and nothing in a request that its user did not give.
import type { GeminiClient } from '../client/client.js';
import { unavailable } from '../internal/errors.js';
import * as must from '../internal/options.js';
import type { ConversationPlugin } from './plugin.js';
import type { LiteLayers, LiteStrata, LiteThread } from '../types/lite.js';
import type { Strata } from '../types/strata.js';
import { BaseConversation } from './base-conversation.js';
import { pluginsFor } from './builtin-plugins.js';
import {
  commonOptions,
  splitPlace,
  type ConversationOptions,
  type PluginOption,
  type StorePlace,
} from './options.js';

/** Options of `Conversation`; only `model` is required. */
export type LiteConversationOptions = Omit<
  ConversationOptions,
  PluginOption | keyof LiteLayers | 'strict' | 'thread'
> & {
  /** Layer 1. Default: none. */
  static?: LiteLayers['static'] | undefined;
  /** Layer 2. A function is called before each request. Default: none. */
  dynamic?:
    | LiteLayers['dynamic']
    | (() => LiteLayers['dynamic'] | Promise<LiteLayers['dynamic']>)
    | undefined;
  /** The thread to resume. Default: a new thread with `policy: 'repair'` and `sequencing: 'api'`. */
  thread?: LiteThread | undefined;
};

const pluginOptions: { [name in PluginOption]: string } = {
  prompt: 'prompts made of sections',
  arguments: 'prompts made of sections',
  onStage: 'the stages of prompts',
  masking: 'masking',
  compression: 'compression',
  contextGuard: 'the context guard',
  caching: 'caching',
  plugins: 'plugins',
};

// `false` turns a plugin off, so options for both packages can be shared.
function withoutPlugins(options: object): object {
  const others = Object.entries(options).filter(([name, value]) => {
    const feature = pluginOptions[name as PluginOption] as string | undefined;
    if (feature && value !== undefined && value !== false) throw unavailable(`/${name}`, feature);
    return !feature;
  });
  return Object.fromEntries(others);
}

/**
 * A conversation with a model, as in `prompt-strata`, without plugins: the context is not guarded, and no history
 * is compressed, masked or cached.
 *
 * @example
 * const chat = new Conversation(await load(), new GeminiClient({ apiKey }), { model });
 * for await (const event of chat.send('Hello')) if (event.type === 'text') show(event.text);
 */
export class Conversation extends BaseConversation<LiteThread> {
  /**
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option, `feature.unavailable` for a
   *   plugin
   */
  constructor(strata: LiteStrata, client: GeminiClient, options: LiteConversationOptions) {
    must.object(options, '');
    must.checkOptions(withoutPlugins(options), commonOptions);
    // Only plugins use more of a Strata or a Thread than the smaller core has.
    super(strata as Strata, client, options as ConversationOptions);
  }

  /**
   * Opens the conversation that a store has under this id, or creates it.
   *
   * @throws StrataError like the constructor
   * @throws HistoryError if the stored lines cannot be read, and what the store throws
   */
  static async open(
    strata: LiteStrata,
    client: GeminiClient,
    options: LiteConversationOptions & StorePlace,
  ): Promise<Conversation> {
    const { others, place } = splitPlace(options);
    return this.loadFrom(place, new Conversation(strata, client, others));
  }

  /** @internal */
  protected override createPlugins(options: ConversationOptions): Promise<ConversationPlugin[]> {
    return pluginsFor({ ...options, contextGuard: false });
  }
}
