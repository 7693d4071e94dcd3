// Defines the timeline of a history: what each turn is, and whether the API takes a request that ends there.
import type { RuleCode } from './codes.js';
import type { Content } from './gemini/contents.js';
import type { ToolCall } from './tool.js';

/** Options of `Thread.timeline`. */
export interface TimelineOptions {
  /** The index of the first turn that is returned. Default: 0. */
  from?: number;
  /** Adds the Content of each turn. Default: false. */
  content?: boolean;
}

/** A Part of a history. */
export interface PartPlace {
  /** The index of its Content. */
  index: number;
  /** The index of the Part in its Content. */
  part: number;
}

/** A functionCall of a turn. Missing `args` are `{}`. */
export interface TimelineCall extends ToolCall {
  part: number;
  /** Whether its Part has a thoughtSignature. */
  signed: boolean;
  /** The functionResponse that answers it, if there is one. */
  response?: PartPlace;
}

/** A functionResponse of a turn. */
export interface TimelineResponse {
  part: number;
  name: string;
  id?: string;
  /** The functionCall that it answers, if there is one. */
  call?: PartPlace;
}

/** One Content of a history. */
export interface TimelineTurn {
  index: number;
  /** `tool` is a user Content that holds functionResponses only. */
  kind: 'user' | 'model' | 'tool';
  /** As written; '' if it is missing. */
  role: string;
  /** Set if the turn came as steps of the Interactions API: the other members are about its Content. */
  form?: 'steps';
  /** The tokens: an estimate, or `TurnMeta.tokens`. */
  tokens: number;
  /** The number of the user's turn that it belongs to, from 0. A user Content with more than functionResponses opens one. */
  turn: number;
  /** The number of the step in that turn, from 0: what the model writes, and the results of its calls. */
  step: number;
  /** Whether it belongs to the last of these turns, which the model is about to answer. */
  isCurrentTurn: boolean;
  /** Whether the history may be split before it, for a summary or a cache. */
  canCutBefore: boolean;
  /**
   * The verdict about a request whose history ends here: `accepted` or `refused`, or `open` if it ends with the model
   * and nothing is wrong until here.
   */
  verdict: 'accepted' | 'open' | 'refused';
  /** The rules for which it is refused, those that this Content breaks first. */
  refusedBy: RuleCode[];
  /** The numbers of Parts, of thoughts and of thoughtSignatures. */
  parts: number;
  thoughts: number;
  signatures: number;
  /** The first 120 characters of the text, without thoughts. */
  excerpt: string;
  calls: TimelineCall[];
  responses: TimelineResponse[];
  /** Where the Content begins and ends in a body that was given as text or bytes. */
  range?: [number, number];
  /** The Content, with the option `content`. */
  content?: Content;
}

/** The turns of a history. */
export interface Timeline {
  turns: TimelineTurn[];
  /** The index of the first turn whose verdict is `refused`. */
  firstRefused?: number;
  /** How many Contents of a body follow that `maxContents` leaves out. */
  omitted?: number;
}
