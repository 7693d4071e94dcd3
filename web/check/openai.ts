// Converts requests and answers of OpenAI's chat completions with the gateway's core.
import { GeminiError } from '../sdk/internal/errors.js';
import { optionsPart } from '../sdk/internal/json-input.js';
import { construct, Handle } from '../sdk/core/handle.js';
import type { Instance } from '../sdk/core/instance.js';
import type { RawCheckModule, RawOpenAiAnswer } from './raw.js';
import { failureMessage, type Failure } from '../sdk/core/response.js';
import type {
  OpenAiAnswer,
  OpenAiAnswerOptions,
  OpenAiRequest,
  OpenAiRequestOptions,
} from './openai-types.js';

/** Implements `openAiRequest` of `OpenAiDialect`. */
export function convertRequest(
  instance: Instance<RawCheckModule>,
  body: Uint8Array,
  options?: OpenAiRequestOptions,
): OpenAiRequest {
  const { core } = instance;
  const parts = [body, optionsPart(options)];
  const { document, bytes } = instance.call<Omit<OpenAiRequest, 'body'>>(parts, () =>
    core.openAiRequest(),
  );
  return { ...document, body: bytes };
}

function errorOf(failure: Failure): GeminiError {
  const { kind, code, status } = failure;
  return new GeminiError(kind === 'api' ? `api.${status || code}` : kind, failureMessage(failure), {
    ...(code === undefined ? {} : { status: code }),
    ...(status ? { rpcStatus: status } : {}),
  });
}

/** Implements `OpenAiAnswer`. */
export class WasmOpenAiAnswer
  extends Handle<RawOpenAiAnswer, RawCheckModule>
  implements OpenAiAnswer
{
  #ended = false;

  /** Starts an answer. */
  static open(instance: Instance<RawCheckModule>, options: OpenAiAnswerOptions): WasmOpenAiAnswer {
    const make = () => new instance.module.OpenAiAnswer(instance.core);
    const { raw } = construct(instance, [optionsPart(options)], make);
    return new WasmOpenAiAnswer(instance, raw);
  }

  private constructor(instance: Instance<RawCheckModule>, raw: RawOpenAiAnswer) {
    super(instance, raw, 'answer');
  }

  push(bytes: Uint8Array): Uint8Array {
    this.#checkOpen('push');
    const { raw } = this;
    return this.instance.call([bytes], () => raw.push()).bytes;
  }

  end(): Uint8Array {
    this.#checkOpen('end');
    this.#ended = true;
    const { raw } = this;
    const { document, bytes } = this.instance.call<{ failure?: Failure }>([], () => raw.end());
    if (document.failure) throw errorOf(document.failure);
    return bytes;
  }

  #checkOpen(name: string): void {
    if (this.#ended) throw new ReferenceError(`${name}() was called after end()`);
  }
}
