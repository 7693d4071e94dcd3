// How a long history is masked, shortened and cut.
import type { Diagnostic } from './diagnostic.js';

/** Which results of tools are masked. Tokens. */
export interface MaskOptions {
  /** The newest results up to here stay. Default: 50,000. */
  protect?: number;
  /** Less than this is not worth it. Default: 30,000. */
  least?: number;
  /** Names of tools whose results stay. */
  exempt?: string[];
}

/** Which results of tools are shortened. */
export interface ShortenOptions {
  /** Tokens of the newest results that stay whole. Default: 50,000. */
  budget?: number;
  /** About how many characters stay of each other one, a fifth of them its beginning. Default: 40,000. */
  characters?: number;
  /** Said in front of what stays. */
  prefix: string;
  exempt?: string[];
}

/** A turn with other results in it. */
export interface OutputEdit {
  turn: number;
  /** JSON. */
  content: string;
  /** What was taken out: each functionResponse's `response` as it came, and the name that it goes by. */
  outputs: { part: number; name: string; tokens: number; storedAs: string; response: string }[];
}

/** Where an old history ends. */
export interface HistoryCut {
  /** Turns in front of the cut; 0 where there is no place for one. */
  turns: number;
  /** The turn whose answer goes on behind the cut; -1 where the cut is in front of one. */
  opening: number;
  /** A name for those turns: the same bytes have the same one. */
  storedAs: string;
}

/** Of which the history is a part. Tokens. */
export interface BudgetOptions {
  contextTokens: number;
  /** Kept free for the answer. */
  reserve: number;
  /** Of the summary that stays in front. Default: 0. */
  summaryTokens?: number;
}

/** What a history may have: compressed from 80 % of its budget on, to 10 % of it. */
export interface HistoryBudget extends HistoryCut {
  budget: number;
  threshold: number;
  target: number;
  /** Says what is left out. */
  diagnostic: Diagnostic;
}

/** What became of a history that was too long: its oldest turns, or how many of its turns, and the names of what they lost. */
export type ShrunkHow =
  | { how: 'summary' | 'truncated'; turns: number; storedAs: string }
  | { how: 'shortened'; turns: number; storedAs: string[] };

/** Why a history was not summed up. */
export type CompressionFailure = 'empty' | 'inflated' | 'error';

/** A result that was taken out, and the name that `Conversation.readStored` has it by. */
export interface TakenOutput {
  name: string;
  storedAs: string;
  tokens: number;
}
