// Defines the plugin interface of conversations. What a conversation does besides requesting answers and running
// tools (caching, compression, masking, guards) is a plugin: an object with some of these hooks, independent of
// the agent loop. `conversation/builtin-plugins.ts` creates the plugins that the options ask for.
import type { UsageMetadata } from '../types/gemini/usage-metadata.js';
import type { GeminiClient } from '../client/client.js';
import type { RequestFields } from './request-fields.js';
import type { AssembleInput, Assembled } from '../types/assemble.js';
import type { Backend } from '../types/backend.js';
import type { Removal } from '../types/compaction.js';
import type { Manifest } from '../types/manifest.js';
import type { ModelLimits } from '../types/model.js';
import type { Strata } from '../types/strata.js';
import type { Thread } from '../types/thread.js';
import type { ConversationEvent } from '../types/conversation-event.js';

/** Small JSON values that a conversation keeps; with a store, also after it was closed. */
export interface PluginNotes {
  /** Whether they are in a store. */
  readonly isStored: boolean;
  /** Returns a value by its name; undefined if there is none. */
  get(name: string): unknown;
  /** Replaces a value, which is stored before the next step begins. */
  set(name: string, value: unknown): void;
}

/** What a hook may use. Valid until the send ends. */
export interface PluginContext {
  readonly strata: Strata;
  readonly client: GeminiClient;
  readonly model: string;
  readonly backend: Backend;
  /** Returns the limits of the model now. `limits` of the conversation's options replaces those of the catalogue. */
  readonly limits: () => ModelLimits;
  /** Aborts with the send. Pass it to everything that a hook waits for. */
  readonly signal: AbortSignal;
  /** The conversation's clock, RFC 3339. */
  readonly now: () => string;
  /** Fields that every request of the conversation has, such as `store`. */
  readonly requestFields: RequestFields;
  /** The safety settings of every request of the conversation. */
  readonly safetySettings: AssembleInput['safetySettings'];
  /** Stores bytes in the conversation's store, for data that a plugin removes from the prompt. */
  readonly store: (name: string, bytes: Uint8Array) => Promise<void>;
  /** Returns the bytes stored under this name. */
  readonly readStored: (name: string) => Promise<Uint8Array | undefined>;
  /** Says what the thread that `beforeTurn` returns no longer has, so that `Conversation.transcript` still has it. */
  readonly recordRemoval: (removal: Removal) => void;
  /** Small values that are kept with the conversation, by name. Names of your own plugins start with `x-`. */
  readonly notes: PluginNotes;
  /** Emits an event of the send immediately, even while the hook is running. */
  readonly emit: (event: ConversationEvent) => void;
}

/**
 * A plugin of a conversation. Hooks run one after the other, in the order of the plugins. An error that a
 * hook throws ends the send; the thread does not change.
 *
 * @example
 * const guard: ConversationPlugin = {
 *   name: 'guard',
 *   beforeSend({ body }) {
 *     if (body.length > 1e6) throw new HistoryError('context.too_large', 'Too long');
 *   },
 * };
 */
export interface ConversationPlugin {
  readonly name: string;
  /**
   * Runs before each request, also between the steps of one tool loop; every call has its result by then.
   * The returned thread, the same or another one (compression, masking), becomes the conversation's thread
   * and is stored. A replaced thread is freed unless it came from the options; `fork` it to keep it.
   */
  beforeTurn?(thread: Thread, context: PluginContext): Thread | Promise<Thread>;
  /** Runs before `assemble` and returns its input, changed (a cache, a buffer size) or not. */
  beforeRequest?(
    thread: Thread,
    input: AssembleInput,
    context: PluginContext,
  ): AssembleInput | Promise<AssembleInput>;
  /** Runs before the request is sent. Throw to refuse it. */
  beforeSend?(assembled: Assembled, context: PluginContext): void | Promise<void>;
  /** Runs after a complete answer was appended, with its usage and the manifest of its request. */
  afterAnswer?(
    usage: UsageMetadata,
    manifest: Manifest,
    context: PluginContext,
  ): void | Promise<void>;
  /**
   * Runs when the API does not have the CachedContent that the request named. The request is prepared and
   * sent once more, starting with `beforeRequest`, which must not return that cache again.
   */
  onCacheLost?(name: string, context: PluginContext): void | Promise<void>;
}
