// Defines the plugin interface of conversations. What a conversation does besides requesting answers and running
// tools (caching, compression, loop detection, structured output) is a plugin: an object with some of these hooks,
// independent of the agent loop. `builtin-plugins.ts` creates the plugins that the options ask for.
import type { UsageMetadata } from '../types/gemini/response.js';
import type { GeminiClient } from '../client/client.js';
import type { RequestFields } from './request-fields.js';
import type { AssembleInput, Assembled } from '../types/assemble.js';
import type { Backend, ModelLimits } from '../types/model.js';
import type { Removal } from '../types/compaction.js';
import type { Manifest } from '../types/manifest.js';
import type { Strata } from '../types/strata.js';
import type { Thread } from '../types/thread.js';
import type { ConversationEvent, LimitReason, UsageEvent } from '../types/conversation-event.js';
import type { Answer } from '../types/response.js';
import type { ToolCall, ToolResponse } from '../types/tool.js';
import type { Wire } from '../types/wire.js';

/** Small JSON values that a conversation keeps; with a store, also after it was closed. */
export interface PluginNotes {
  /** Whether they are in a store. */
  readonly isStored: boolean;
  /** Returns a value by its name; undefined if there is none. */
  get(name: string): unknown;
  /** Replaces a value, which is stored before the next step begins. */
  set(name: string, value: unknown): void;
}

/** What an observer is told about a send. */
export interface ObservedSend {
  readonly model: string;
  readonly backend: Backend;
  /** The id in the store; `''` if the conversation is not stored. */
  readonly id: string;
  /** The service that the client calls. */
  readonly baseUrl: string;
}

/** Sees a send from its start to its end. What it throws ends the send. */
export interface SendObserver {
  /** Each event, in order, before the caller has it. */
  see(event: ConversationEvent): void;
  /** The send is over; `error` is what it has failed with, or the reason of its abort. */
  end(error: unknown): void;
}

/** What a hook may use. Valid until the send ends. */
export interface PluginContext {
  readonly strata: Strata;
  readonly client: GeminiClient;
  readonly model: string;
  readonly backend: Backend;
  /** The API that the conversation talks to. */
  readonly wire: Wire;
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

/** The last answer of a send. With `calls`, a limit has ended them, and `finishReason` names it. */
export type LastAnswer = Omit<Answer, 'content'>;

/** Why the calls of an answer do not run. */
export interface CallRefusal {
  /** The error with which each call is answered. */
  error: string;
  /** Is emitted once the calls are answered. */
  event?: ConversationEvent;
  /** Ends the send, with this as its finishReason. Without it, the model answers the errors. */
  finishReason?: LimitReason;
}

/** The result of a call. */
export interface CallResult {
  response: ToolResponse;
  /** The name under which the whole result is stored, if `response` is only a part of it. */
  storedAs?: string;
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
  /** Runs when a send is called, in the caller's context, and returns what sees it. */
  observe?(send: ObservedSend): SendObserver;
  /**
   * Runs when a send begins. `earlier` has the calls of each answer before, if the send continues another one, as in a
   * Worker.
   */
  onStart?(earlier: readonly ToolCall[][], context: PluginContext): void | Promise<void>;
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
  /**
   * Runs with the events of each read of an answer. Return others to emit these instead. Throw a GeminiError to end the
   * answer, which is then requested again if `answerRetry` has the error's code.
   */
  onEvents?(
    events: readonly ConversationEvent[],
    context: PluginContext,
  ): readonly ConversationEvent[] | void;
  /** Runs when the API has counted the tokens of a request, also of one whose answer fails. Returns the event. */
  onUsage?(event: UsageEvent, manifest: Manifest, context: PluginContext): UsageEvent;
  /** Runs after a complete answer was appended, with its usage and the manifest of its request. */
  afterAnswer?(
    usage: UsageMetadata,
    manifest: Manifest,
    context: PluginContext,
  ): void | Promise<void>;
  /** Runs before the calls of an answer. Return a refusal, and none of them runs. */
  beforeCalls?(
    calls: readonly ToolCall[],
    context: PluginContext,
  ): CallRefusal | void | Promise<CallRefusal | void>;
  /** Runs with the result of each call, before it is stored, and returns it, changed or not. Calls may end in parallel. */
  afterCall?(
    thread: Thread,
    result: CallResult,
    call: ToolCall,
    context: PluginContext,
  ): CallResult | Promise<CallResult>;
  /**
   * Runs after the last answer of a send. Return a text to send it in the user's place, so that the model answers again;
   * null to end the send; or nothing to let the next plugin decide. After a limit, no text is sent.
   */
  nextMessage?(
    thread: Thread,
    answer: LastAnswer,
    context: PluginContext,
  ): string | null | void | Promise<string | null | void>;
  /**
   * Runs when the API does not have the CachedContent that the request named. The request is prepared and
   * sent once more, starting with `beforeRequest`, which must not return that cache again.
   */
  onCacheLost?(name: string, context: PluginContext): void | Promise<void>;
}
