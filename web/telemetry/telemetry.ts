// Makes spans from the events of a conversation.
import {
  SpanKind,
  SpanStatusCode,
  context,
  trace,
  type SpanOptions,
  type Span,
} from '@opentelemetry/api';
import { decodeUtf8 } from '../sdk/internal/bytes.js';
import * as must from '../sdk/internal/options.js';
import { isObject, type JsonFields } from '../sdk/internal/json.js';
import { version } from '../sdk/internal/version.js';
import type { ConversationPlugin, ObservedSend, SendObserver } from '../sdk/chat/plugin.js';
import type { ConversationEvent, RequestEvent } from '../sdk/types/conversation-event.js';
import type { ResponseMetadata } from '../sdk/types/response.js';
import type { ToolCall } from '../sdk/types/tool.js';
import {
  attributesOf,
  attributesOfBody,
  attributesOfCall,
  attributesOfUsage,
  finishReasonOf,
} from './attributes.js';
import { answerOf, instructionsOf, messagesOf } from './messages.js';

/** Options of `telemetry`. */
export interface TelemetryOptions {
  /**
   * Whether spans have what was said: instructions, messages, and arguments and results of tools, all of which may be
   * personal. Bytes of files are left out. Default: false.
   */
  contents?: boolean | undefined;
}

const optionChecks = must.shape<TelemetryOptions>({ contents: must.optional(must.boolean) });

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decodeUtf8(bytes)) as unknown;
  } catch {
    return undefined;
  }
}

const pieces = new Set(['text', 'thought', 'functionCall', 'part', 'step', 'signature']);

function fail(span: Span, type: string, message: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

/** The span of a request, until it is known whether its answer can be used. */
class RequestSpan {
  readonly purpose: string;
  readonly #span: Span;
  readonly #contents: boolean;
  readonly #start = Date.now();
  #reason = '';
  #end: number | undefined;
  #hasBegun = false;

  constructor(span: Span, event: RequestEvent, contents: boolean) {
    this.#span = span;
    this.purpose = event.purpose;
    this.#contents = contents;
    if (!span.isRecording()) return;
    const body = parsed(event.body);
    if (isObject(body)) this.#describe(body);
  }

  #describe(body: JsonFields): void {
    const span = this.#span;
    span.setAttributes(attributesOfBody(body));
    if (!this.#contents) return;
    const instructions = instructionsOf(body);
    if (instructions.length > 0)
      span.setAttribute('gen_ai.system_instructions', JSON.stringify(instructions));
    const messages = messagesOf(body['contents'] ?? body['input']);
    span.setAttribute('gen_ai.input.messages', JSON.stringify(messages));
  }

  /** Whether its response has ended. */
  get isOver(): boolean {
    return this.#end !== undefined;
  }

  see(event: ConversationEvent): void {
    const span = this.#span;
    if (pieces.has(event.type) && !this.#hasBegun) {
      this.#hasBegun = true;
      const seconds = (Date.now() - this.#start) / 1000;
      span.setAttribute('gen_ai.response.time_to_first_chunk', seconds);
    }
    if (event.type === 'metadata') this.#readMetadata(event.metadata);
    if (event.type === 'usage') {
      span.setAttributes(attributesOfUsage(event.usage));
      this.#end = Date.now();
    }
    if (event.type === 'fault') {
      this.#reason = 'error';
      fail(span, event.code, event.message);
    }
    if (event.type === 'turn' && this.#contents && span.isRecording()) {
      const message = answerOf(parsed(event.content), finishReasonOf(this.#reason));
      span.setAttribute('gen_ai.output.messages', JSON.stringify([message]));
    }
  }

  #readMetadata({ finishReason, responseId, modelVersion }: ResponseMetadata): void {
    if (typeof finishReason === 'string') this.#reason = finishReason;
    if (typeof responseId === 'string' && responseId !== '')
      this.#span.setAttribute('gen_ai.response.id', responseId);
    if (typeof modelVersion === 'string')
      this.#span.setAttribute('gen_ai.response.model', modelVersion);
  }

  /** Ends it when its response ended. `error` is what ended the send before that. */
  end(error?: unknown): void {
    const span = this.#span;
    if (error !== undefined) {
      this.#reason = 'error';
      fail(span, typeOf(error), messageOf(error));
    }
    if (this.#reason !== '')
      span.setAttribute('gen_ai.response.finish_reasons', [finishReasonOf(this.#reason)]);
    span.end(this.#end);
  }
}

const typeOf = (error: unknown): string => {
  const { code, name } = Object(error) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : '_OTHER';
};
const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** The spans of one send. */
class SendSpans {
  readonly #send: Span;
  readonly #about: ObservedSend;
  readonly #contents: boolean;
  readonly #parent;
  readonly #tracer = trace.getTracer('prompt-strata', version);
  readonly #calls: { call: ToolCall; span: Span }[] = [];
  #request: RequestSpan | undefined;

  constructor(about: ObservedSend, contents: boolean) {
    this.#about = about;
    this.#contents = contents;
    const attributes = {
      ...attributesOf('invoke_agent', about),
      'gen_ai.request.model': about.model,
    };
    this.#send = this.#tracer.startSpan('invoke_agent', { kind: SpanKind.INTERNAL, attributes });
    this.#parent = trace.setSpan(context.active(), this.#send);
  }

  see(event: ConversationEvent): void {
    const request = this.#request;
    if (event.type === 'request') this.#begin(event);
    else if (request) {
      request.see(event);
      // What says whether the answer could be used comes behind its token counts.
      if (request.isOver && event.type !== 'usage') this.#endRequest();
      else if (event.type === 'fault') this.#endRequest();
    }
    if (event.type === 'toolCall') this.#call(event.call);
    if (event.type === 'toolResult') this.#result(event);
    if (event.type === 'done')
      this.#send.setAttribute('gen_ai.response.finish_reasons', [
        finishReasonOf(event.finishReason),
      ]);
    if (event.type === 'done') this.#send.setAttributes(attributesOfUsage(event.usage));
  }

  // A request that the client sends again is the same operation: its span has all attempts.
  #begin(event: RequestEvent): void {
    const before = this.#request;
    if (before && !before.isOver && before.purpose === event.purpose) return;
    this.#endRequest();
    const { model, purpose } = event;
    const name = 'generate_content';
    const span = this.#start(`${name} ${model}`, {
      kind: SpanKind.CLIENT,
      attributes: {
        ...attributesOf(name, this.#about),
        'gen_ai.request.model': model,
        'gen_ai.request.stream': true,
        'prompt_strata.request.purpose': purpose,
      },
    });
    this.#request = new RequestSpan(span, event, this.#contents);
  }

  #start(name: string, options: SpanOptions): Span {
    return this.#tracer.startSpan(name, options, this.#parent);
  }

  #endRequest(error?: unknown): void {
    this.#request?.end(error);
    this.#request = undefined;
  }

  #call(call: ToolCall): void {
    const attributes = attributesOfCall(call);
    const span = this.#start(`execute_tool ${call.name}`, { kind: SpanKind.INTERNAL, attributes });
    if (this.#contents) span.setAttribute('gen_ai.tool.call.arguments', JSON.stringify(call.args));
    this.#calls.push({ call, span });
  }

  #result({ call, response, error }: ConversationEvent & { type: 'toolResult' }): void {
    const index = this.#calls.findIndex((each) => each.call === call);
    const [found] = index < 0 ? [] : this.#calls.splice(index, 1);
    if (!found) return;
    const { span } = found;
    if (error !== undefined) fail(span, typeOf(error), messageOf(error));
    else if (isObject(response) && 'error' in response) fail(span, 'tool_error', '');
    if (this.#contents) span.setAttribute('gen_ai.tool.call.result', JSON.stringify(response));
    span.end();
  }

  /** Ends all of them. */
  end(error: unknown): void {
    this.#endRequest(error);
    for (const { span } of this.#calls) {
      // Calls that a tool has paused have no result yet.
      if (error !== undefined) fail(span, typeOf(error), messageOf(error));
      span.end();
    }
    if (error !== undefined) fail(this.#send, typeOf(error), messageOf(error));
    this.#send.end();
  }
}

/**
 * Returns a plugin that makes spans of OpenTelemetry, in the names of its semantic conventions for generative AI, version
 * 0.1.0: `invoke_agent` for each send, and in it `generate_content` for each request and `execute_tool` for each call.
 * The spans go to the tracer provider that your program has registered. docs/telemetry.md lists the attributes.
 *
 * @throws StrataError `field.unknown` or `field.invalid` for an invalid option
 *
 * @example
 * const chat = await connect({ apiKey, model, plugins: [telemetry()] });
 */
export function telemetry(options: TelemetryOptions = {}): ConversationPlugin {
  must.object(options, '');
  optionChecks(options, '');
  const { contents = false } = options;
  return {
    name: 'telemetry',
    observe(about: ObservedSend): SendObserver {
      const spans = new SendSpans(about, contents);
      return {
        see: (event) => spans.see(event),
        end: (error) => spans.end(error),
      };
    },
  };
}
