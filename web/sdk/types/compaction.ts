// Defines how a long history is masked, shortened and split.
import type { Diagnostic } from './diagnostic.js';

/**
 * Selects the tool results to mask. Sizes are in estimated tokens. The rules and defaults are those of
 * `toolOutputMaskingService.ts` in https://github.com/google-gemini/gemini-cli.
 */
export interface MaskOptions {
  /** The newest results, up to this many tokens, are kept. Default: 50,000. */
  protect?: number;
  /** If fewer tokens than this could be masked, nothing is. Default: 30,000. */
  least?: number;
  /** Names of tools whose results are never masked. */
  exempt?: string[];
}

/** Selects the tool results to shorten. */
export interface ShortenOptions {
  /** The newest results, up to this many estimated tokens, are kept whole. Default: 50,000. */
  budget?: number;
  /** The approximate number of characters that remain of each other result, the first fifth from its beginning and the rest from its end. Default: 40,000. */
  characters?: number;
  /** The text that precedes a shortened result. */
  prefix: string;
  /** Names of tools whose results are never shortened. */
  exempt?: string[];
}

/** A turn with replaced tool results. */
export interface OutputEdit {
  /** The index of the turn. */
  turn: number;
  /** The new Content, JSON. */
  content: string;
  /**
   * The results that were replaced. `part` is the index of the Part, `name` the tool's name, `response` the
   * original JSON of `functionResponse.response`, and `storedAs` a name derived from its SHA-256.
   */
  outputs: { part: number; name: string; tokens: number; storedAs: string; response: string }[];
}

/** A split point that separates old turns from the rest of a history. */
export interface HistoryCut {
  /** The number of turns before the split point; 0 if there is none. */
  turns: number;
  /** The index of the user turn whose answer continues after the split point; -1 if the split point precedes a new user turn. */
  opening: number;
  /** A name derived from the SHA-256 of those turns; equal bytes have equal names. */
  storedAs: string;
}

/** The limits from which `Thread.historyBudget` computes a budget. All are tokens. */
export interface BudgetOptions {
  contextTokens: number;
  /** Tokens reserved for the answer. */
  reserve: number;
  /** Tokens of the summary that precedes the remaining turns. Default: 0. */
  summaryTokens?: number;
}

/**
 * The budget of a history in tokens, and the split point at which the rest fits. The 80 % and 10 % are those
 * of https://github.com/pioneerdotai/pioneer.
 */
export interface HistoryBudget extends HistoryCut {
  /** `contextTokens` less `reserve`. */
  budget: number;
  /** 80 % of `budget`: compress the history from this size on. */
  threshold: number;
  /** 10 % of `budget`: the maximum size of a summary. */
  target: number;
  /** `history.truncated`, which reports how many turns are left out. */
  diagnostic: Diagnostic;
}

/**
 * How a history became shorter: the oldest `turns` were replaced by a summary or left out, or tool results in
 * `turns` turns were shortened. `storedAs` names what was removed.
 */
export type ShrunkHow =
  | { how: 'summary' | 'truncated'; turns: number; storedAs: string }
  | { how: 'shortened'; turns: number; storedAs: string[] };

/** Turns at the start of a thread that were stored and then replaced or left out. */
export interface Removal {
  /** The name under which they were stored, in the format of `Thread.save`. */
  storedAs: string;
  /** The number of turns at the start of the new thread that sum them up. */
  summary: number;
  /** The number of turns after these that are repeated from the stored ones. */
  repeated: number;
}

/** Why a summary was not used: it was empty, it was longer than the turns it replaces, or the request failed. */
export type CompressionFailure = 'empty' | 'inflated' | 'error';

/** A tool result that was removed. Pass `storedAs` to `Conversation.readStored` to read it. */
export interface TakenOutput {
  name: string;
  storedAs: string;
  tokens: number;
}
