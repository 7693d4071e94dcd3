// Why this file exists: the place to plug in. What a conversation does beyond asking and running tools
// (caching, compression, masking, guards, calibration) is a part: an object with some of these hooks, that
// knows nothing of the loop. `builtin-parts.ts` says which parts the options ask for.
import type { Usage } from '../types/response.js';
import type { GeminiClient } from '../client/client.js';
import type { AssembleInput, Assembled } from '../types/assemble.js';
import type { Backend } from '../types/backend.js';
import type { Manifest } from '../types/manifest.js';
import type { Strata } from '../types/strata.js';
import type { Thread } from '../types/thread.js';
import type { ConversationEvent } from '../types/conversation-event.js';

/** What a hook may use. It lives as long as the send. */
export interface PluginContext {
  readonly strata: Strata;
  readonly client: GeminiClient;
  readonly model: string;
  readonly backend: Backend;
  /** Aborts with the send; whatever a hook waits for must listen to it. */
  readonly signal: AbortSignal;
  /** The conversation's clock, RFC 3339. */
  readonly now: () => string;
  /** Keeps bytes beside the thread, in the conversation's store: what a part leaves out of the prompt. */
  readonly store: (name: string, bytes: Uint8Array) => Promise<void>;
  /** What was kept under this name. */
  readonly readStored: (name: string) => Promise<Uint8Array | undefined>;
  /** Hands an event to the reader of the send, at once, also while the hook still works. */
  readonly emit: (event: ConversationEvent) => void;
}

/**
 * One concern of a conversation. Hooks run in the order of the parts, one after the other. What a hook
 * throws ends the send; the thread stays as it is.
 *
 * @example
 * const guard: ConversationPart = {
 *   name: 'guard',
 *   beforeSend({ body }) {
 *     if (body.length > 1e6) throw new HistoryError('context.too_large', 'Too long');
 *   },
 * };
 */
export interface ConversationPlugin {
  readonly name: string;
  /**
   * Before each request, also between the steps of one tool loop. No call is open. What it gives becomes
   * the conversation's thread, in the store too: the same one, or another (compression, masking). One
   * that is given up is freed, unless the options gave it: `fork` what must outlive it.
   */
  beforeTurn?(thread: Thread, context: PluginContext): Thread | Promise<Thread>;
  /** Before `assemble`; gives its input, changed or not (a live cache, a buffer). */
  beforeRequest?(
    thread: Thread,
    input: AssembleInput,
    context: PluginContext,
  ): AssembleInput | Promise<AssembleInput>;
  /** The request that is about to be sent. Throwing refuses it. */
  beforeSend?(assembled: Assembled, context: PluginContext): void | Promise<void>;
  /** After a whole answer, which is in the thread by now: what the API counted, and for which request. */
  afterAnswer?(usage: Usage, manifest: Manifest, context: PluginContext): void | Promise<void>;
  /**
   * The request named this CachedContent and the API does not have it (any more). The request is made
   * anew, once, from `beforeRequest` on, which must not give that cache again.
   */
  onCacheLost?(name: string, context: PluginContext): void | Promise<void>;
}
