// Reads one answer: returns events as bytes arrive, and at the end one Content or an error.
import { GeminiError, requestIdOf, StrataError } from '../internal/errors.js';
import { construct, Handle } from './handle.js';
import type { Instance, Reply } from './instance.js';
import type { RawAnswers, RawResponse } from './raw.js';
import { optionsPart, type FramePart } from '../internal/json-input.js';
import * as must from '../internal/options.js';
import { redactMembers, type Redact } from '../internal/redact.js';
import type {
  FinishReason,
  GenerateContentResponse,
  UsageMetadata,
} from '../types/gemini/response.js';
import type { Json } from '../types/json.js';
import type { AnswerSummary, CoreResponse, ResponseEnd } from '../types/core-objects.js';
import type {
  Answer,
  AnswerClass,
  FinishOptions,
  ResponseOptions,
  StreamEvent,
} from '../types/response.js';

/** How an answer failed, as the core says it. */
export interface Failure {
  kind: 'api' | 'answer.invalid' | 'answer.blocked' | 'answer.cut';
  code?: number;
  status?: string;
  message?: string;
  retryAfterMs?: number;
  details?: Json[];
  blockReason?: string;
  detail?: string;
}

/** What the core says about the end of a response. */
interface Summary {
  finishReason: FinishReason;
  usage: UsageMetadata;
  response: GenerateContentResponse;
  lastEventId?: string;
  failure?: Failure;
  answer: AnswerClass;
}

/** The core's reply to an append: its verdict, or why there is no answer to append. */
interface Moved {
  accepted: boolean;
  summary?: Summary;
}

/** Returns the sentence that says how an answer failed. */
export function failureMessage(failure: Failure): string {
  const { kind, status, blockReason, detail } = failure;
  switch (kind) {
    case 'api':
      return failure.message || 'The API answered with an error';
    case 'answer.blocked':
      // The errors of the Interactions API do not say which one it was.
      return `The prompt ${status ? 'or its answer ' : ''}was blocked: ${blockReason || 'no reason given'}`;
    case 'answer.invalid':
      return `The answer is not valid: ${detail}`;
    default:
      return `The answer was cut off before its finishReason${detail ? `: ${detail}` : ''}`;
  }
}

function errorOf(
  failure: Failure,
  { finishReason, requestId }: { finishReason: FinishReason; requestId: string | undefined },
  partial: Uint8Array | null,
): GeminiError {
  const { kind, code, status, retryAfterMs, details, blockReason } = failure;
  return new GeminiError(kind === 'api' ? `api.${status || code}` : kind, failureMessage(failure), {
    partial,
    finishReason,
    ...(code === undefined ? {} : { status: code }),
    ...(status ? { rpcStatus: status } : {}),
    ...(details === undefined ? {} : { details }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(blockReason === undefined ? {} : { blockReason }),
    ...(requestId === undefined ? {} : { requestId }),
  });
}

const summaryOf = ({ answer, usage, finishReason, response }: Summary): AnswerSummary => ({
  ...{ finishReason, usage, response, ...answer },
});

const responseOptions: must.Shape<ResponseOptions> = {
  redact: must.optional(must.func),
  wire: must.optional(must.wire),
};

/** Implements `ResponseAssembler`. */
export class WasmResponseAssembler extends Handle<RawResponse, RawAnswers> implements CoreResponse {
  readonly #redact: Redact | undefined;
  readonly #isInteraction: boolean;
  #isFinished = false;
  /** Whether more bytes of the response may come. */
  #isOpen = true;

  constructor(instance: Instance<RawAnswers>, options: ResponseOptions) {
    must.checkOptions(options, responseOptions);
    super(instance, undefined, 'response');
    // The first bytes create the raw object. An instance that has trapped says so at once.
    instance.run(() => {});
    this.#redact = options.redact;
    this.#isInteraction = options.wire === 'interactions';
  }

  push(bytes: Uint8Array): StreamEvent[] {
    this.#checkUnfinished('push');
    const raw = this.held;
    this.#isOpen = true;
    const events = raw
      ? this.instance.call<StreamEvent[]>([bytes], () => raw.push()).document
      : this.#create([bytes]).events;
    return this.#redacted(events);
  }

  end(): StreamEvent[] {
    this.#checkUnfinished('end');
    this.#isOpen = false;
    return this.#redacted(this.#call<StreamEvent[]>([], (raw) => raw.end()).document);
  }

  content(): Uint8Array | undefined {
    const { bytes } = this.#call([], (raw) => raw.content());
    return bytes.length > 0 ? bytes : undefined;
  }

  finish(options?: FinishOptions): Answer {
    const { document, bytes } = this.#finish(options, true);
    this.#isFinished = true;
    const content = bytes.length > 0 ? bytes : null;
    if (document.failure) throw this.#errorOf(document, document.failure, content);
    return { content, ...summaryOf(document) };
  }

  conclude(options: FinishOptions): ResponseEnd {
    const { document } = this.#finish(options, false);
    const { lastEventId } = document;
    return {
      events: this.#redacted(document.events),
      ...(lastEventId !== undefined && { lastEventId }),
      answer: () => {
        const { failure } = document;
        if (failure) throw this.#errorOf(document, failure, this.content() ?? null);
        return summaryOf(document);
      },
    };
  }

  /**
   * Lets `append` move the answer into a thread of `instance`. If it was accepted, nothing is left of the response.
   *
   * @throws StrataError or GeminiError if there is no complete answer, or the instance is another one
   */
  moveTo<Document extends Moved>(
    instance: Instance,
    append: (raw: RawResponse) => Reply<Document>,
  ): Reply<Document> {
    const raw = this.held ?? this.#create([]).raw;
    if (instance !== this.instance)
      throw must.invalidOption('/response', 'a response of the instance that has the thread');
    const reply = append(raw);
    const { accepted, summary } = reply.document;
    if (summary) throw this.#refusal(summary);
    if (accepted) this.free('appended to a thread');
    return reply;
  }

  #refusal(summary: Summary): StrataError {
    const { failure, answer } = summary;
    if (this.#isOpen && failure?.kind === 'answer.cut') {
      const message = 'The answer has not ended. Push the rest of its bytes, then call end().';
      return new StrataError('answer.unfinished', message);
    }
    const partial = this.content() ?? null;
    if (failure) return this.#errorOf(summary, failure, partial);
    const none = { code: 'answer.empty', message: 'The answer has no Content' } as const;
    const { code, message } = answer.fault ?? none;
    return new GeminiError(code, message, { partial, ...this.#repeated(summary) });
  }

  #finish(options: FinishOptions | undefined, withContent: boolean) {
    const parts = [optionsPart(options)];
    const reply = this.#call<Summary & { events: StreamEvent[] }>(parts, (raw) =>
      raw.finish(withContent),
    );
    this.#isOpen = false;
    return reply;
  }

  #call<Document>(
    parts: readonly FramePart[],
    action: (raw: RawResponse) => void,
  ): Reply<Document> {
    const raw = this.held ?? this.#create([]).raw;
    return this.instance.call<Document>(parts, () => action(raw));
  }

  #create(parts: readonly FramePart[]): { raw: RawResponse; events: StreamEvent[] } {
    const { module, core } = this.instance;
    const make = () => new module.Response(core, this.#isInteraction);
    const { raw, document } = construct<StreamEvent[], RawResponse>(this.instance, parts, make);
    this.hold(raw);
    return { raw, events: document };
  }

  #checkUnfinished(method: 'push' | 'end'): void {
    if (this.#isFinished) throw new ReferenceError(`${method}() was called after finish()`);
  }

  // Servers may repeat the API key in an error, which callers log. What an answer says stays as it is.
  #redacted(events: StreamEvent[]): StreamEvent[] {
    const redact = this.#redact;
    if (!redact || events.every(({ type }) => type !== 'error')) return events;
    return events.map((event) =>
      event.type === 'error' ? redactMembers(event, redact, 'type') : event,
    );
  }

  #errorOf(summary: Summary, failure: Failure, partial: Uint8Array | null): GeminiError {
    const told = redactMembers(failure, this.#redact, 'kind');
    return errorOf(told, this.#repeated(summary), partial);
  }

  #repeated({ finishReason, response }: Summary) {
    return redactMembers({ finishReason, requestId: requestIdOf(response) }, this.#redact);
  }
}
