// Reads an answer of either API piece by piece: texts as they grow, and everything else once it is whole.
import { GeminiError } from '../sdk/internal/errors.js';
import { decodeUtf8 } from '../sdk/internal/bytes.js';
import { dispose } from '../sdk/internal/lifetime.js';
import type { GatewayCore } from '../check/gateway-core.js';
import type { UsageMetadata } from '../sdk/types/gemini/response.js';
import type { ResponseAssembler, StreamEvent } from '../sdk/types/response.js';
import type { Wire } from '../sdk/types/wire.js';

/** The next piece of an answer. */
export type Piece =
  | { kind: 'text' | 'thought'; text: string }
  /** Any other Part as JSON, with its signature. */
  | { kind: 'part'; json: string }
  /** The signature of the text before it, or of nothing. */
  | { kind: 'signature'; signature: string };

/** How an answer ended, in the words of generateContent. */
export interface Ending {
  finishReason: string;
  /** What the API says about the reason. */
  message?: string | undefined;
  /** Why there is no answer. */
  blockReason?: string;
  /** The error that the API sent in place of the rest. */
  error?: GeminiError;
  usage: UsageMetadata;
  model?: string | undefined;
  id?: string | undefined;
}

interface ReadPart {
  text?: unknown;
  thought?: unknown;
  thoughtSignature?: unknown;
  functionCall?: unknown;
}

// Ends of an answer for which the Interactions API has an error, and generateContent a finishReason.
const finishes =
  /^(?:SAFETY|RECITATION|LANGUAGE|PROHIBITED_CONTENT|SPII|BLOCKLIST|NO_IMAGE|IMAGE_\w+|MALFORMED_\w+|UNEXPECTED_TOOL_CALL|TOO_MANY_TOOL_CALLS|MISSING_THOUGHT_SIGNATURE)$/;

const textFields = /^(?:text|thought|thoughtSignature)$/;
const isText = (part: ReadPart): part is ReadPart & { text: string } =>
  typeof part.text === 'string' && Object.keys(part).every((name) => textFields.test(name));

/** Reads one answer. Dispose it. */
export class AnswerPieces implements Disposable {
  readonly #core: GatewayCore;
  readonly #assembler: ResponseAssembler;
  /** The first Part that is not given out as a whole, and how much of its text is. */
  #index = 0;
  #length = 0;
  /** The kind of the text that is growing, and how much of it was given out since Parts were last looked at. */
  #kind: 'text' | 'thought' | undefined;
  #given = 0;
  /** Whole calls that have not been given out. */
  #calls = 0;
  #hasContent = false;
  #usage: UsageMetadata = {};

  constructor(core: GatewayCore, wire: Wire) {
    this.#core = core;
    this.#assembler = core.response({ wire });
  }

  /** Takes the next bytes. */
  push(bytes: Uint8Array): Piece[] {
    const events = this.#assembler.push(bytes);
    events.forEach((event) => this.#note(event));
    const isMore = ({ type }: StreamEvent) => type === 'text' || type === 'thought';
    const said = events.filter(({ type }) => !/^(?:usage|metadata|error)$/.test(type));
    if (said.length === 0) return [];
    if (!said.every((event) => isMore(event) && event.type === this.#kind))
      return this.#partsSoFar(false);
    // The Parts need no look: that would cost the square of a long text.
    return said.flatMap((event): Piece[] => {
      if (event.type !== 'text' && event.type !== 'thought') return [];
      this.#given += event.text.length;
      return [{ kind: event.type, text: event.text }];
    });
  }

  /**
   * Ends the answer.
   *
   * @throws GeminiError for one that is cut off or cannot be read
   */
  end(): { pieces: Piece[]; ending: Ending } {
    try {
      const { finishReason, usage, response } = this.#assembler.finish();
      // An interaction in progress has an answer to come.
      if (finishReason === '') throw new GeminiError('answer.cut', 'The answer is not complete.');
      const [{ finishMessage: message } = {}] = response.candidates ?? [];
      const { modelVersion: model, responseId: id } = response;
      const ending = { finishReason, message, usage, model, id };
      return { pieces: this.#partsSoFar(true), ending };
    } catch (error) {
      if (!(error instanceof GeminiError) || /^answer\.(?!blocked)/.test(error.code)) throw error;
      const pieces = this.#partsSoFar(true);
      return { pieces, ending: { ...this.#failure(error), usage: this.#usage } };
    }
  }

  [dispose](): void {
    this.#assembler[dispose]();
  }

  #failure(error: GeminiError): Omit<Ending, 'usage'> {
    const { blockReason, rpcStatus = '', status, message } = error;
    const word = (blockReason ?? rpcStatus).toUpperCase();
    if (blockReason === undefined && status > 0) return { finishReason: '', error };
    const finishReason = finishes.test(word) ? word : 'OTHER';
    if (this.#hasContent || blockReason === undefined) return { finishReason, message };
    return { finishReason: '', message, blockReason: /BLOCKED$/.test(word) ? 'OTHER' : word };
  }

  #note(event: StreamEvent): void {
    if (event.type === 'usage') this.#usage = event.usage;
    if (event.type === 'functionCall') this.#calls++;
  }

  /** Returns what of the Content has not been given out. The last Part may grow until the end. */
  #partsSoFar(isEnd: boolean): Piece[] {
    const content = this.#assembler.content();
    if (!content) return [];
    this.#hasContent = true;
    const { parts } = JSON.parse(decodeUtf8(content)) as { parts: ReadPart[] };
    const pieces: Piece[] = [];
    for (let part = parts[this.#index]; part; part = parts[this.#index]) {
      const isLast = this.#index === parts.length - 1;
      if (isText(part)) {
        pieces.push(...this.#moreText(part, isLast && !isEnd));
        if (isLast && !isEnd) break;
      } else {
        // Only the beginning of this call has come.
        if (part.functionCall && this.#calls === 0 && !isEnd) break;
        if (part.functionCall) this.#calls--;
        pieces.push(this.#whole(content));
      }
      this.#index++;
      this.#length = 0;
      this.#kind = undefined;
    }
    this.#given = 0;
    return pieces;
  }

  #moreText(part: ReadPart & { text: string }, isGrowing: boolean): Piece[] {
    const kind = part.thought === true ? 'thought' : 'text';
    const seen = Math.min(this.#given, part.text.length - this.#length);
    this.#given -= seen;
    const text = part.text.slice(this.#length + seen);
    this.#length = part.text.length;
    this.#kind = kind;
    const { thoughtSignature: signature } = part;
    const more: Piece[] = text === '' ? [] : [{ kind, text }];
    if (isGrowing || typeof signature !== 'string') return more;
    return [...more, { kind: 'signature', signature }];
  }

  #whole(content: Uint8Array): Piece {
    const [span] = this.#core.locate(content, [`/parts/${this.#index}`]);
    return { kind: 'part', json: decodeUtf8(content.subarray(span?.start, span?.end)) };
  }
}
