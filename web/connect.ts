// Connects to the API in one call: loads the core, creates a client and a conversation.
import * as must from './sdk/internal/options.js';
import { GeminiClient } from './sdk/client/client.js';
import { Conversation } from './sdk/chat/conversation.js';
import { commonOptions, pluginOptions, withAnswerer } from './sdk/chat/check-options.js';
import type {
  AnyConversationOptions,
  ConversationOptions,
  StorePlace,
} from './sdk/chat/options.js';
import { load } from './sdk/core/strata.js';

/** Options of `connect`: those of a conversation, and one of `apiKey`, `client` and `emulator`. */
export interface ConnectOptions extends ConversationOptions {
  /** The key of the Gemini API. */
  apiKey?: string | undefined;
  /** A client of your own, for example for Vertex AI or with other retries. */
  client?: GeminiClient | undefined;
  /** Answers by the built-in emulator instead of the API, without a network; `apiKey` is not used. Default: false. */
  emulator?: boolean | undefined;
  /** With `store` and `id`: what happens if stored lines cannot be read, see `StorePlace`. */
  damaged?: StorePlace['damaged'];
}

async function clientOf({ apiKey, client, emulator }: ConnectOptions): Promise<GeminiClient> {
  must.optional(must.boolean)(emulator, '/emulator');
  must.optional(must.string)(apiKey, '/apiKey');
  if (client) {
    if (emulator || apiKey)
      throw must.invalidOption('/client', 'the only one of client, apiKey and emulator');
    return client;
  }
  if (emulator) {
    const { createEmulator } = await import('./emulator/index.js');
    return new GeminiClient({ fetch: createEmulator() });
  }
  if (!apiKey) throw keyMissing();
  return new GeminiClient({ apiKey });
}

const names = [
  ...['apiKey', 'client', 'emulator', 'damaged'],
  ...Object.keys({ ...commonOptions, ...pluginOptions }),
];

// The conversation checks the values of its own options, but not before the key.
function checkNames(options: ConnectOptions): void {
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) throw must.unknownOption('', unknown, names);
}

const keyMissing = () =>
  must.optionError(
    'key.missing',
    '/apiKey',
    'There is no API key. Pass `apiKey` (https://aistudio.google.com/apikey), a `client`, or `emulator: true` to try without one.',
  );

const isPlace = (options: ConversationOptions): options is ConversationOptions & StorePlace =>
  options.id !== undefined || options.store !== undefined;

async function conversationOf(
  given: AnyConversationOptions<ConnectOptions>,
): Promise<Conversation> {
  must.object(given, '');
  const options = withAnswerer(given);
  checkNames(options);
  const client = await clientOf(options);
  const { apiKey: _, client: __, emulator: ___, ...others } = options;
  const strata = await load();
  return isPlace(others)
    ? Conversation.open(strata, client, others)
    : Conversation.create(strata, client, others);
}

/**
 * Loads the core and returns a conversation; with `store` and `id`, the stored one. A history of another client loads
 * `prompt-strata/check` too, and templates load `prompt-strata/templates`.
 *
 * @throws StrataError `key.missing` without a key, a client or the emulator; `field.unknown` or `field.invalid` for
 *   invalid options
 * @example
 * const chat = await connect({ apiKey, model: 'gemini-3.8-flash' });
 * const { text } = await chat.ask('Hello');
 */
export async function connect(
  options: AnyConversationOptions<ConnectOptions>,
): Promise<Conversation> {
  try {
    return await conversationOf(options);
  } catch (error) {
    throw must.inCall('connect', error);
  }
}
