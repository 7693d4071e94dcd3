// Reads one answer: returns events as bytes arrive, and at the end one Content or an error.
import { requestIdOf } from '../base/request-id.js';
import { GeminiError } from '../base/errors.js';
import { Handle } from './handle.js';
import type { Instance } from './instance.js';
import type { RawResponse } from './raw.js';
import { optionsPart } from '../base/json-input.js';
import { redactMembers, type Redact } from '../base/redact.js';
import type { FinishReason } from '../types/gemini/finish-reason.js';
import type { GenerateContentResponse } from '../types/gemini/generate-content-response.js';
import type { UsageMetadata } from '../types/gemini/usage-metadata.js';
import type { Json } from '../types/json.js';
import type {
  Answer,
  AnswerClass,
  FinishOptions,
  ResponseAssembler,
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

interface Summary {
  finishReason: FinishReason;
  usage: UsageMetadata;
  response: GenerateContentResponse;
  failure?: Failure;
  answer: AnswerClass;
}

/** Returns the sentence that says how an answer failed. */
export function failureMessage(failure: Failure): string {
  switch (failure.kind) {
    case 'api':
      return failure.message || 'The API answered with an error';
    case 'answer.blocked':
      return `The prompt was blocked: ${failure.blockReason || 'no reason given'}`;
    case 'answer.invalid':
      return `The answer is not valid: ${failure.detail}`;
    default:
      return `The answer was cut off before its finishReason${failure.detail ? `: ${failure.detail}` : ''}`;
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

/** Implements `ResponseAssembler`. */
export class WasmResponseAssembler extends Handle<RawResponse> implements ResponseAssembler {
  readonly #redact: Redact | undefined;
  #ended = false;
  /** Whether bytes may still complete an event. */
  #isOpen = true;

  constructor(instance: Instance, { redact }: ResponseOptions) {
    super(
      instance,
      instance.run(() => new instance.module.Response(instance.core)),
      'response',
    );
    this.#redact = redact;
  }

  push(bytes: Uint8Array): StreamEvent[] {
    return this.#events('push', bytes);
  }

  end(): StreamEvent[] {
    return this.#events('end');
  }

  #events(method: 'push' | 'end', ...parts: Uint8Array[]): StreamEvent[] {
    if (this.#ended) throw new ReferenceError(`${method}() was called after finish()`);
    const { raw } = this;
    this.#isOpen = method === 'push';
    const events = this.instance.call<StreamEvent[]>(parts, () => raw[method]()).document;
    // Servers may repeat the API key in an error, which callers log. What an answer says stays as it is.
    const redact = this.#redact;
    if (!redact) return events;
    return events.map((event) =>
      event.type === 'error' ? redactMembers(event, redact, 'type') : event,
    );
  }

  finish(options?: FinishOptions): Answer {
    const { raw, instance } = this;
    if (this.#isOpen) instance.call([], () => raw.end());
    this.#isOpen = false;
    this.#ended = true;
    const { document, bytes } = instance.call<Summary>([optionsPart(options)], () => raw.finish());
    const content = bytes.length > 0 ? bytes : null;
    const { answer, failure, usage, finishReason, response } = document;
    if (failure) {
      const redact = this.#redact;
      const repeated = { finishReason, requestId: requestIdOf(response) };
      throw errorOf(
        redactMembers(failure, redact, 'kind'),
        redactMembers(repeated, redact),
        content,
      );
    }
    return { content, finishReason, usage, response, ...answer };
  }
}
