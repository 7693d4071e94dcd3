// Why this file exists: an answer as users read it: events while it comes, one Content or an error at
// its end.
import { GeminiError } from '../base/errors.js';
import { Handle } from './handle.js';
import type { Instance } from './instance.js';
import type { RawResponse } from './raw.js';
import { redactValue, type Redact } from '../base/secret.js';
import type { Json } from '../types/json.js';
import type { Answer, ResponseAssembler, ResponseOptions, StreamEvent } from '../types/response.js';

interface Failure {
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
  finishReason: string;
  usage: { [key: string]: Json };
  response: { [key: string]: Json };
  failure?: Failure;
}

// What the model says is kept as it is; a usage is numbers.
const spoken = new Set(['text', 'thought', 'functionCall', 'part', 'usage']);

function messageOf(failure: Failure): string {
  switch (failure.kind) {
    case 'api':
      return failure.message || 'The API answered with an error';
    case 'answer.blocked':
      return `The prompt was blocked: ${failure.blockReason || 'no reason given'}`;
    case 'answer.invalid':
      return `The answer is not JSON: ${failure.detail}`;
    default:
      return `The answer broke off before its finishReason${failure.detail ? `: ${failure.detail}` : ''}`;
  }
}

function errorOf(
  failure: Failure,
  { finishReason, response }: Pick<Summary, 'finishReason' | 'response'>,
  partial: Uint8Array | null,
): GeminiError {
  const { kind, code, status, retryAfterMs, details, blockReason } = failure;
  const { responseId } = response;
  return new GeminiError(kind === 'api' ? `api.${status || code}` : kind, messageOf(failure), {
    partial,
    finishReason,
    ...(code === undefined ? {} : { status: code }),
    ...(status ? { rpcStatus: status } : {}),
    ...(details === undefined ? {} : { details }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(blockReason === undefined ? {} : { blockReason }),
    ...(typeof responseId === 'string' ? { requestId: responseId } : {}),
  });
}

/** What `Strata.response` gives. */
export class WasmResponseAssembler extends Handle<RawResponse> implements ResponseAssembler {
  readonly #redact: Redact | undefined;
  #ended = false;

  constructor(instance: Instance, { redact }: ResponseOptions) {
    super(
      instance,
      instance.run(() => new instance.module.Response(instance.core)),
      'response',
    );
    this.#redact = redact;
  }

  push(bytes: Uint8Array): StreamEvent[] {
    if (this.#ended) throw new ReferenceError('This answer has been finished');
    const { raw } = this;
    const events = this.instance.call<StreamEvent[]>([bytes], () => raw.push()).document;
    return events.map((event) => (spoken.has(event.type) ? event : this.#clean(event)));
  }

  finish(): Answer {
    const { raw, instance } = this;
    if (!this.#ended) instance.call([], () => raw.end());
    this.#ended = true;
    const { document, bytes } = instance.call<Summary>([], () => raw.finish());
    const content = bytes.length > 0 ? bytes : null;
    const { failure, finishReason, usage, response } = this.#clean(document);
    if (failure) throw errorOf(failure, { finishReason, response }, content);
    return { content, finishReason, usage, response };
  }

  // Servers repeat what they were sent, and what they say about an answer gets logged.
  #clean<Value extends StreamEvent | Summary>(value: Value): Value {
    return this.#redact ? redactValue(value, this.#redact) : value;
  }
}
