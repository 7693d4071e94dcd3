// The Conversation of `prompt-strata`, with plugins.
import type { GeminiClient } from '../client/client.js';
import * as must from '../internal/options.js';
import type { ConversationPlugin } from './plugin.js';
import type { Strata } from '../types/strata.js';
import type { Thread } from '../types/thread.js';
import { BaseConversation } from './base-conversation.js';
import { pluginsFor } from './builtin-plugins.js';
import { checkSettings, checkTemplates } from './check-templates.js';
import {
  commonOptions,
  pluginOptions,
  splitPlace,
  type ConversationOptions,
  type StorePlace,
} from './options.js';

/**
 * A conversation with a model. After any failure (an HTTP error, a truncated or blocked answer, an abort) the
 * thread ends in a user Content: the user's text or a complete set of tool results. An incomplete answer is
 * discarded. To resume, call `send('')` or send the same text again.
 *
 * @example
 * const chat = new Conversation(await load(), new GeminiClient({ apiKey }), { model });
 * for await (const event of chat.send('Hello')) if (event.type === 'text') show(event.text);
 */
export class Conversation extends BaseConversation<Thread> {
  /**
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option or setting; TemplateError for a template
   *   that does not compile
   */
  constructor(strata: Strata, client: GeminiClient, options: ConversationOptions) {
    must.checkOptions(options, { ...commonOptions, ...pluginOptions });
    super(strata, client, options);
    checkTemplates(strata, options);
    checkSettings(strata, options);
  }

  /**
   * Opens the conversation that a store has under this id, or creates it. Every turn is stored before the
   * next step begins. After a crash `send('')` resumes: it repeats the request that was not answered, or
   * runs the calls that have no stored result.
   *
   * @throws StrataError and TemplateError like the constructor
   * @throws HistoryError if the stored lines cannot be read, and what the store throws
   *
   * @example
   * const place = { store: new IndexedDbStore('my-app'), id: 'today' };
   * const chat = await Conversation.open(strata, client, { model, ...place });
   */
  static async open(
    strata: Strata,
    client: GeminiClient,
    options: ConversationOptions & StorePlace,
  ): Promise<Conversation> {
    const { others, place } = splitPlace(options);
    return this.loadFrom(place, new Conversation(strata, client, others));
  }

  /** @internal */
  protected override createPlugins(options: ConversationOptions): Promise<ConversationPlugin[]> {
    return pluginsFor(options);
  }
}
