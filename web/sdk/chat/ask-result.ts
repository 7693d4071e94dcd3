// Defines the result of `Conversation.ask`, and reads it from the events of a send.
import { StrataError } from '../internal/errors.js';
import { printToolError } from '../internal/messages.js';
import type { FinishReason } from '../types/gemini/response.js';
import type {
  AnswerMetadata,
  ConversationEvent,
  LimitReason,
} from '../types/conversation-event.js';
import type { Diagnostic } from '../types/diagnostic.js';
import type { TotalUsage } from '../types/usage.js';

/** A complete answer. */
export interface AskResult {
  /** The text of the last answer, without thoughts. */
  text: string;
  /** The token counts of all requests of the send: tool rounds, discarded answers, summaries. */
  usage: TotalUsage;
  /**
   * Why the last answer ended: `STOP`, `MAX_TOKENS`… `MAX_TOOL_ROUNDS` or `TOOL_CALL_LOOP` if the model still called
   * tools and the send ended there; `text` is then what it wrote beside these calls.
   */
  finishReason: FinishReason | LimitReason;
  /** What was found about the requests, the turns and the tools of the send, each once in a conversation. */
  warnings: Diagnostic[];
  /** What the API said about the last answer besides its Content: sources, searches, citations, ratings. */
  metadata?: AnswerMetadata;
}

// The place of a turn changes between requests, and so does the keyword within a tool's schema.
const keyOf = ({ code, path, message }: Diagnostic): string => {
  const place = path.replace(/^\/contents\/\d+/, '/contents').replace(/\/parameters\w*\/.*/, '');
  return `${code} ${place} ${message}`;
};

const emptyAnswer: Diagnostic = {
  code: 'answer.empty',
  severity: 'warning',
  path: '',
  message: 'The model answered the results of its calls with nothing. They are the last turn.',
};

/** Reads the result of one send. */
export class ResultReader {
  readonly #reported: Set<string>;
  readonly #warnings: Diagnostic[] = [];

  /** Whether somebody learns of what tools throw: from the events, or by `onToolError`. */
  isHeard: boolean;

  /** `reported`: what the conversation has reported. */
  constructor(reported: Set<string>, isHeard: boolean) {
    this.#reported = reported;
    this.isHeard = isHeard;
  }

  /** Returns the answer that a `done` event completes; undefined for any other event. */
  add(event: ConversationEvent): AskResult | undefined {
    if (event.type === 'diagnostics') event.diagnostics.forEach((finding) => this.#warn(finding));
    if (event.type === 'toolResult' && event.error !== undefined && !this.isHeard)
      printToolError(event.error, event.call);
    if (event.type === 'empty') this.#warnings.push(emptyAnswer);
    if (event.type !== 'done') return undefined;
    const { text, usage, finishReason, metadata } = event;
    const answer = { text, usage, finishReason, warnings: this.#warnings };
    return metadata ? { ...answer, metadata } : answer;
  }

  #warn(finding: Diagnostic): void {
    const { size } = this.#reported;
    if (this.#reported.add(keyOf(finding)).size > size) this.#warnings.push(finding);
  }
}

const advice = "Provide their results, and resume with send('')";

/** The error of a method that returns an answer. */
export const noAnswerYet = (): StrataError =>
  new StrataError(
    'conversation.waiting',
    `Tools left calls open, so there is no answer yet. ${advice}`,
  );

/** The error of a send whose message follows open calls. */
export const messageNotAdded = (): StrataError =>
  new StrataError(
    'conversation.waiting',
    `Calls are open, so the message was not added. ${advice}`,
  );
