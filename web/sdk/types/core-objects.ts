// Declares what the folders of web ask a thread and a response of the core beside their public methods. Not exported.
import type {
  Answer,
  FinishOptions,
  ResponseAssembler,
  StreamEvent,
  ResponseOptions,
} from './response.js';
import type { Backend } from './model.js';
import type { Report } from './diagnostic.js';
import type { JsonInput } from './json.js';
import type { Manifest } from './manifest.js';
import type { AppendOptions, Thread, ThreadTail, TurnMeta } from './thread.js';
import type { Calibration, Spent } from './usage.js';
import type { ToolResponse } from './tool.js';

/** What a complete answer is, without its Content, which stays in the core. */
export type AnswerSummary = Omit<Answer, 'content'>;

/** The end of a response. */
export interface ResponseEnd {
  /** The events that the end completes. */
  events: StreamEvent[];
  /** The last event of a stream of the Interactions API, behind which it can be resumed. */
  lastEventId?: string;
  /**
   * Returns what the answer is. `response` has no Content.
   *
   * @throws GeminiError like `finish`
   */
  answer(): AnswerSummary;
}

/** A response of the core, as the package itself uses it. */
export interface CoreResponse extends ResponseAssembler {
  /**
   * Ends the response like `end`, and says what its answer is, in one crossing. `push` then takes the bytes of the
   * response that continues the answer.
   */
  conclude(options: FinishOptions): ResponseEnd;
}

/** The end of a thread in full. */
export interface FullTail extends ThreadTail {
  /** Whether the last turn holds functionResponses. */
  hasResponses: boolean;
  /** Whether the last turn holds nothing but empty, unsigned texts. */
  blank: boolean;
}

/** What one crossing of an append returns. */
export interface AppendedTurn {
  report: Report;
  /** The position of the turn. */
  index: number;
  /** Returns the bytes of its Content. */
  content: () => Uint8Array;
}

/** The response of a call, by the index of the call in its step. */
export interface StepResult {
  index: number;
  result: ToolResponse;
}

/** What a thread knows about the store from which it was opened. */
export interface StoredState {
  /** Identifies the turns that a store holds; see `CoreThread.saveSince`. */
  mark: StoreMark;
  /** The manifest of the newest answer. */
  manifest?: Manifest;
  /** What the conversation had used when the newest answer was added. */
  spent?: Spent;
  /** The records of calls that were running when the process ended, by the index of the call. */
  step?: { started: number[]; results: StepResult[] };
}

/** Identifies the turns that a store holds. */
export interface StoreMark {
  turns: number;
  digest: string;
}

/** A thread of the core, as the package itself uses it. */
export interface CoreThread extends Thread {
  /** Whose rules the thread checks. */
  readonly service: { model: string; backend: Backend };
  /** Known if the thread was opened with the option `from`. */
  readonly stored: StoredState | undefined;
  /** Correction of token estimates; `appendTurn` learns from `meta.tokens`. */
  calibration: Calibration;
  /** Returns the end of the thread. Crosses into the core only if the thread has changed. */
  state(): Omit<FullTail, 'text'>;
  /** Returns the last turn's text if it is a user turn of a single text. */
  onlyText(): string | undefined;
  /** Returns the role of a Content as it is written; undefined if it is not JSON. */
  roleOf(content: Uint8Array): string | undefined;
  /** Returns the text of the newest user turn without functionResponses, and the number of turns. */
  lastUserText(): { turns: number; text: string };
  /** Creates a response in the instance of the thread, which need not be that of a conversation. */
  response(options: ResponseOptions): CoreResponse;
  /**
   * Appends a turn like `append` or `appendAnswer`. Without `meta.tokens` it is counted by the calibrated estimate.
   * `hasReader`: somebody may ask for the turn's bytes after the thread has changed, so they are copied before that.
   */
  appendTurn(
    content: JsonInput | CoreResponse,
    meta: TurnMeta,
    options: AppendOptions | undefined,
    hasReader: boolean,
  ): AppendedTurn;
  /** Judges some of the functionResponses for the open calls. */
  checkResponses(content: JsonInput): Report;
  /** Returns the lines that a store lacks, which replace those from turn `from` on. */
  saveSince(stored: StoreMark | undefined): StoreMark & { from: number; lines: string[] };
  /** Returns the line that records the response of an open call, or that it has started. */
  record(call: number, response?: ToolResponse): string;
}
