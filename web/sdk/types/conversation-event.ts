// Why this file exists: what a Conversation tells while it works, as one union that a switch can exhaust.
import type { CompressionFailure, ShrunkHow, TakenOutput } from './compaction.js';
import type { ToolCall, ToolResponse } from './tool.js';
import type { Diagnostic } from './diagnostic.js';
import type { Json } from './json.js';
import type { Manifest } from './manifest.js';
import type { StreamEvent } from './response.js';

/** In the order in which things happen; the events of an answer's stream stand between `request` and its `turn`. */
export type ConversationEvent =
  /** About to be sent: the body's bytes, and what they are made of. */
  | { type: 'request'; body: Uint8Array; manifest: Manifest }
  /** What was noticed about that request, or about the tools that were found; nothing in it is an error. */
  | { type: 'diagnostics'; diagnostics: Diagnostic[] }
  | StreamEvent
  /** A Content entered the thread: the user's, the model's, or tool results. */
  | { type: 'turn'; index: number; content: Uint8Array }
  /** A request was refused for now, or its answer was at fault; the next attempt follows after `delayMs`. `attempt` is the one that failed, from 1. */
  | { type: 'retry'; code: string; delayMs: number; attempt: number }
  /** The CachedContent of the request is gone; the request goes out again without it. */
  | { type: 'cacheLost'; name: string }
  /** A cache was made, prolonged, deleted after another one replaced it, or could not be made. */
  | { type: 'cache'; action: 'created' | 'extended' | 'deleted'; name: string; tokens: number }
  | { type: 'cache'; action: 'refused'; reason: string }
  /** Old results of tools became previews; `Conversation.kept` has them whole. None, with a reason, where they could not be kept. */
  | { type: 'masked'; outputs: TakenOutput[]; reason?: string }
  /** The history became shorter, by tokens. Under `kept` stands what it lost: the oldest `turns` as `Thread.save` writes them, or the results that lost their middle. */
  | ({ type: 'compressed'; before: number; after: number } & ShrunkHow)
  /** No summary could be made; the history stays as it was, or leaves its oldest turns out under a budget. */
  | { type: 'compressionFailed'; failure: CompressionFailure; reason: string }
  /** Another thread took the place of the one before, which had `before` turns: a part gave it. */
  | { type: 'thread'; turns: number; before: number }
  /** The model asks for a tool. The calls of one answer run together once all are announced. */
  | { type: 'toolCall'; call: ToolCall }
  /** In the order in which the tools finish; the thread has them in the order of the calls. `kept` names a result that was too long. */
  | { type: 'toolResult'; call: ToolCall; response: ToolResponse; storedAs?: string }
  /** The same calls again and again: they were answered with an error. At `count` 2 the send ends. */
  | { type: 'loop'; kind: 'calls'; calls: ToolCall[]; count: number }
  /** The answer repeats the same text: told once an answer, while it streams. It is kept whole. `count`: such answers of this send. */
  | { type: 'loop'; kind: 'text'; count: number }
  /** Who has to speak next, where `continue` asks for it. If it is the model, the conversation goes on. */
  | { type: 'nextSpeaker'; speaker: 'user' | 'model'; reasoning: string }
  /** `maxToolRounds` were spent and the model asked again: those calls were answered with an error. */
  | { type: 'limit'; rounds: number }
  /** The answer is none: it broke off, was blocked, is empty… Nothing of it is kept; what its stream told is void. */
  | { type: 'fault'; code: string; message: string; finishReason: string }
  /** After tool results the model had nothing to say. The results stay the last turn. */
  | { type: 'empty'; finishReason: string }
  /** The end; the last answer's reason and usage. */
  | { type: 'done'; finishReason: string; usage: { [key: string]: Json } };
