// Defines the events of a Conversation as one union, so that a switch can be exhaustive.
import type { CompressionFailure, ShrunkHow, TakenOutput } from './compaction.js';
import type { SchemaIssue, ToolCall, ToolResponse } from './tool.js';
import type { Diagnostic } from './diagnostic.js';
import type { ErrorCode } from './codes.js';
import type { InteractionStatus } from './gemini/interaction.js';
import type { FinishReason, Candidate, UsageMetadata } from './gemini/response.js';
import type { Manifest } from './manifest.js';
import type { PrefixUse, TotalUsage } from './usage.js';
import type { AnswerEvent } from './response.js';

/** Why a send ended although the model still called tools: `maxToolRounds`, or the same calls again and again. */
export type LimitReason = 'MAX_TOOL_ROUNDS' | 'TOOL_CALL_LOOP';

/** What the API says about an answer besides its Content: `groundingMetadata`, `citationMetadata`… */
export type AnswerMetadata = Omit<
  Candidate,
  'content' | 'finishReason' | 'index' | 'tokenCount' | 'continuationToken'
>;

/**
 * Why a request is sent: for an answer, its continuation (`finishReason` `CONTINUATION`), a summary of old turns, the
 * check of a summary, or the question who speaks next.
 */
export type RequestPurpose = 'answer' | 'continuation' | 'summary' | 'summaryCheck' | 'nextSpeaker';

/** A request of a conversation. */
export interface RequestEvent {
  type: 'request';
  purpose: RequestPurpose;
  model: string;
  /** Set if the body is one of the Interactions API. */
  wire?: 'interactions';
  body: Uint8Array;
  manifest: Manifest;
}

/** The token counts of one request. `prefix`: of an answer, how much of its prompt a cache could have served. */
export interface UsageEvent {
  type: 'usage';
  purpose: RequestPurpose;
  model: string;
  usage: UsageMetadata;
  prefix?: PrefixUse;
}

/**
 * An event of `Conversation.send`, emitted in the order in which things happen. The `AnswerEvent`s of an
 * answer come between its `request` and its `turn`.
 *
 * @example
 * for await (const event of chat.send('Hello')) {
 *   if (event.type === 'text') process.stdout.write(event.text);
 *   if (event.type === 'done') console.log(event.usage);
 * }
 */
export type ConversationEvent =
  /** A request is about to be sent, also once more after a `retry`. */
  | RequestEvent
  /** Findings about the request, a turn, or discovered tools. None has the severity `error`. */
  | { type: 'diagnostics'; diagnostics: Diagnostic[] }
  | AnswerEvent
  /** A request has ended, also one whose answer failed: the API's token counts of this request alone. They add up. */
  | UsageEvent
  /** A Content was added to the thread: the user's, the model's, or tool results. The bytes are copied when `content` is read; a copy of the event has them. */
  | { type: 'turn'; index: number; content: Uint8Array }
  /** A request was rejected temporarily, or its answer was unusable. The next attempt follows after `delayMs`. `attempt` is the number of the failed attempt, from 1. */
  | { type: 'retry'; code: ErrorCode; delayMs: number; attempt: number }
  /** The API no longer has the CachedContent that the request named. The request is sent again without it. */
  | { type: 'cacheLost'; name: string }
  /** The model `from` does not answer, because of the error `code`; `to` answers the rest of the send, with the same turns. */
  | { type: 'fallback'; from: string; to: string; code: ErrorCode; message: string }
  /** The API refused to continue an interaction; mostly it no longer has it. The request is sent again with the whole history. */
  | { type: 'stateLost'; id: string }
  /**
   * The request runs at Google as the interaction `id`. Emitted as it begins or is found again, and when an abort has
   * cancelled it; with an `error` if the abort could not: then `Conversation.backgroundId` still has the id.
   */
  | { type: 'background'; id: string; status: InteractionStatus; error?: string }
  /** The endpoint does not know a field that is no part of the prompt. The request is sent again without it, and so are all later ones. */
  | { type: 'fieldRefused'; field: 'store'; message: string }
  /** A cache was created, extended, or deleted after another one replaced it. */
  | { type: 'cache'; action: 'created' | 'extended' | 'deleted'; name: string; tokens: number }
  /** A cache could not be created or extended. */
  | { type: 'cache'; action: 'refused'; reason: string }
  /** Old tool results were replaced by previews. `Conversation.readStored` returns them whole. If they could not be stored, nothing was replaced, `outputs` is empty, and `reason` says why. */
  | { type: 'masked'; outputs: TakenOutput[]; reason?: string }
  /** The history was compressed from `before` to `after` tokens. `storedAs` names what was removed: the oldest `turns` in the format of `Thread.save`, or the original tool results. */
  | ({ type: 'compressed'; before: number; after: number } & ShrunkHow)
  /** No summary could be created. The history is unchanged or, with `form: 'budget'`, its oldest turns are left out. */
  | { type: 'compressionFailed'; failure: CompressionFailure; reason: string }
  /** A plugin replaced the thread. `before` is the number of turns of the previous thread. */
  | { type: 'thread'; turns: number; before: number }
  /** The model calls a tool. The calls of one answer run in parallel after all of them are announced. */
  | { type: 'toolCall'; call: ToolCall }
  /** The arguments of a call do not match the tool's schema. It is not run; its `toolResult` with an error follows. */
  | { type: 'invalidArguments'; call: ToolCall; issues: SchemaIssue[] }
  /** A tool finished. Events come in the order of completion; the thread holds the results in the order of the calls. `storedAs` names the whole result if it was shortened. `error` is what the tool threw, with its stack; the model has its message. */
  | {
      type: 'toolResult';
      call: ToolCall;
      response: ToolResponse;
      storedAs?: string;
      error?: unknown;
    }
  /** Tools left these calls open with `PausedCall`. The send ends here; the next one runs only these calls. */
  | { type: 'waiting'; calls: ToolCall[] }
  /** The model repeats the same calls, which were answered with an error. The send ends when `count` is 2. */
  | { type: 'loop'; kind: 'calls'; calls: ToolCall[]; count: number }
  /** The answer repeats the same text. Emitted once per answer, while it streams. `count` is the number of such answers of this send. */
  | { type: 'loop'; kind: 'text'; count: number }
  /** The model's opinion on who speaks next, if the option `continue` is set. If it is the model, the conversation continues. */
  | { type: 'nextSpeaker'; speaker: 'user' | 'model'; reasoning: string }
  /** The model called tools again after `maxToolRounds`. These calls were answered with an error, and the send ends. */
  | { type: 'limit'; rounds: number }
  /** The answer is unusable: it was cut off, blocked, empty or malformed. It is not added to the thread; discard its stream events. */
  | { type: 'fault'; code: ErrorCode; message: string; finishReason: FinishReason }
  /** The model answered tool results with an empty answer. The results remain the last turn. */
  | { type: 'empty'; finishReason: FinishReason }
  /** An answer of `Conversation.object` does not match the schema. The model is asked once more, with the validator's words. */
  | { type: 'invalidObject'; text: string; issues: SchemaIssue[] }
  /** The send is complete. Holds the last answer's text without thoughts, its finishReason (or the limit that ended the send), the token counts of all requests of the send, and what else the API said about it, if anything. */
  | {
      type: 'done';
      text: string;
      finishReason: FinishReason | LimitReason;
      usage: TotalUsage;
      metadata?: AnswerMetadata;
    };
