// A Gemini model as the AI SDK calls it: assembles the prompt into exact turns, refuses what the API would refuse, and
// streams the answer.
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
  JSONObject,
  SharedV4Warning,
} from '@ai-sdk/provider';
import { decodeUtf8, parseDocument } from '../../sdk/internal/bytes.js';
import { GeminiError, HistoryError, StrataError } from '../../sdk/internal/errors.js';
import { dispose } from '../../sdk/internal/lifetime.js';
import { readAnswer, type ReadAnswer } from '../../sdk/client/read-answer.js';
import { stream } from '../../sdk/client/sent-request.js';
import type { GeminiClient } from '../../sdk/client/client.js';
import type { Assembled } from '../../sdk/types/assemble.js';
import type { RequestEvent } from '../../sdk/types/conversation-event.js';
import type { CoreResponse, CoreThread } from '../../sdk/types/core-objects.js';
import type { Content } from '../../sdk/types/gemini/contents.js';
import type { AnswerEvent } from '../../sdk/types/response.js';
import type { Strata } from '../../sdk/types/strata.js';
import type { Wire } from '../../sdk/types/wire.js';
import { AnswerParts, contentsOf, finishReasonOf, sourcesOf, usageOf } from './answer-parts.js';
import { CallSettings, warningsOf } from './call-settings.js';
import { appendPrompt } from './prompt-turns.js';

type StreamPart = LanguageModelV4StreamPart;
type FinishPart = Extract<StreamPart, { type: 'finish' }>;

/** What a model needs of its provider. */
export interface ModelContext {
  /** Returns an instance of the core that can be used. */
  core: () => Promise<Strata>;
  /** Returns the client for a call with these headers. */
  client: (headers: LanguageModelV4CallOptions['headers']) => GeminiClient;
  wire: Wire;
}

/** A request that was sent. */
interface Sent {
  thread: CoreThread;
  request: RequestEvent;
  response: Response;
  warnings: SharedV4Warning[];
  client: GeminiClient;
  core: Strata;
}

// The files that the API reads itself; the AI SDK downloads all others.
const ownFiles = [
  /^https:\/\/generativelanguage\.googleapis\.com\/v1beta\/files\/.*$/,
  /^https:\/\/(?:www\.)?youtube\.com\/watch\?v=[\w-]+(?:&[\w=&.-]*)?$/,
  /^https:\/\/youtu\.be\/[\w-]+(?:\?[\w=&.-]*)?$/,
];

/** Implements `LanguageModelV4`. */
export class GeminiLanguageModel implements LanguageModelV4 {
  readonly specificationVersion = 'v4';
  readonly provider = 'prompt-strata';
  readonly modelId: string;
  readonly #context: ModelContext;

  constructor(modelId: string, context: ModelContext) {
    this.modelId = modelId;
    this.#context = context;
  }

  get supportedUrls(): Record<string, RegExp[]> {
    const isVertex = this.#context.client(undefined).backend === 'vertex';
    return { '*': isVertex ? [/^gs:\/\/.*$/, ...ownFiles.slice(1)] : ownFiles };
  }

  async doGenerate(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    const sent = await this.#send(options);
    const parts: StreamPart[] = [];
    const { finish, metadata } = await this.#read(sent, options, (part) => void parts.push(part));
    return {
      content: contentsOf(parts),
      finishReason: finish.finishReason,
      usage: finish.usage,
      ...(finish.providerMetadata && { providerMetadata: finish.providerMetadata }),
      warnings: sent.warnings,
      request: { body: decodeUtf8(sent.request.body) },
      response: { ...metadata, headers: headersOf(sent.response) },
    };
  }

  async doStream(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
    const sent = await this.#send(options);
    // Its writer waits for the reader, and a reader that leaves ends the request.
    const { readable, writable } = new TransformStream<StreamPart, StreamPart>();
    void this.#write(sent, options, writable.getWriter());
    return {
      stream: readable,
      request: { body: decodeUtf8(sent.request.body) },
      response: { headers: headersOf(sent.response) },
    };
  }

  async #write(
    sent: Sent,
    options: LanguageModelV4CallOptions,
    writer: WritableStreamDefaultWriter<StreamPart>,
  ): Promise<void> {
    const write = (part: StreamPart) => writer.write(part);
    try {
      await write({ type: 'stream-start', warnings: sent.warnings });
      const { finish, metadata } = await this.#read(sent, options, write);
      await write({ type: 'response-metadata', ...metadata });
      await write(finish);
      await writer.close();
    } catch (error) {
      if (options.abortSignal?.aborted) return void writer.abort(error).catch(() => {});
      try {
        await write({ type: 'error', error });
        await write({
          type: 'finish',
          finishReason: { unified: 'error', raw: undefined },
          usage: usageOf({}),
        });
        await writer.close();
      } catch {
        // The reader has left.
      }
    }
  }

  async #send(options: LanguageModelV4CallOptions): Promise<Sent> {
    const core = await this.#context.core();
    const client = this.#context.client(options.headers);
    const { modelId: model } = this;
    const { backend } = client;
    const thread = core.thread({ model, backend, sequencing: 'api' }) as CoreThread;
    try {
      const { assembled, warnings } = this.#assemble(core, thread, options);
      const { wire } = this.#context;
      const request: RequestEvent = {
        ...{ type: 'request', purpose: 'answer', model, body: assembled.body },
        ...(wire === 'interactions' && { wire }),
        manifest: assembled.manifest,
      };
      const signal = options.abortSignal ?? new AbortController().signal;
      const response = await stream({ client, signal, emit: () => {} }, request);
      return { thread, request, response, warnings, client, core };
    } catch (error) {
      thread[dispose]();
      throw error;
    }
  }

  #assemble(core: Strata, thread: CoreThread, options: LanguageModelV4CallOptions) {
    const text = appendPrompt(thread, options.prompt);
    const { input, warnings } = new CallSettings(core, this.modelId, options).fields();
    const { wire } = this.#context;
    const assembled = thread.assemble({
      ...{ now: new Date().toISOString(), static: { text }, dynamic: { text: '' } },
      // The history is what the caller passes: nothing of it moves to another place.
      ...{ cachedHistory: 'contents', bufferTokens: -1 },
      ...(wire === 'interactions' && { wire, stream: true }),
      ...input,
    });
    throwRefusal(assembled);
    return { assembled, warnings: [...warnings, ...warningsOf(assembled.diagnostics)] };
  }

  /** Reads the answer, and returns what ends it. */
  async #read(
    { thread, request, response, client, core }: Sent,
    { abortSignal, tools = [] }: LanguageModelV4CallOptions,
    write: (part: StreamPart) => Promise<void> | void,
  ): Promise<{ finish: FinishPart; metadata: { id?: string; modelId?: string } }> {
    const parts = new AnswerParts(new Set(tools.map(({ name }) => name)));
    const writeAll = async (all: readonly StreamPart[]) => {
      for (const part of all) await write(part);
    };
    const signal = abortSignal ?? new AbortController().signal;
    const { hasResponses: afterResponses } = thread.state();
    const context = { core, client, signal, emit: () => {}, request, afterResponses };
    const sink = (events: AnswerEvent[]) => writeAll(parts.take(events));
    try {
      const take = async (answer: ReadAnswer, received: CoreResponse) =>
        writeAll(parts.end(keptTurn(thread, answer, received, this.modelId)));
      const answer = await readAnswer(response, context, sink, take);
      await writeAll(sourcesOf(answer.response));
      return endOf(answer, parts.hasCalls);
    } catch (error) {
      if (!(error instanceof GeminiError) || error.code !== 'answer.blocked') throw error;
      const finishReason = { unified: 'content-filter', raw: error.blockReason } as const;
      return { finish: { type: 'finish', finishReason, usage: usageOf({}) }, metadata: {} };
    } finally {
      thread[dispose]();
    }
  }
}

const headersOf = ({ headers }: Response): Record<string, string> => Object.fromEntries(headers);

function throwRefusal({ ok, diagnostics }: Assembled): void {
  if (ok) return;
  const fault = diagnostics.find(({ severity }) => severity === 'error');
  if (!fault) return;
  const Refusal = fault.code.startsWith('field.') ? StrataError : HistoryError;
  throw new Refusal(fault.code, `${fault.message} (${fault.path})`, diagnostics);
}

/** Returns the turn of an answer as the API sent it, or undefined if the next request cannot have it. */
function keptTurn(
  thread: CoreThread,
  { blank, calls, kind }: ReadAnswer,
  received: CoreResponse,
  model: string,
): { json: string; content: Content } | undefined {
  if (blank || kind === 'malformed_call') return undefined;
  const index = thread.length;
  try {
    thread.appendAnswer(received, { model });
  } catch (error) {
    // Without calls nothing depends on the turn: the caller decides about its text.
    if (calls.length === 0) return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The API would refuse this answer in the next request: ${reason}`;
    throw new GeminiError('answer.unusable', message, {}, error);
  }
  const content = parseDocument(thread.content(index, 'content')) as Content;
  return { json: decodeUtf8(thread.content(index)), content };
}

/** Returns what ends a complete answer. */
function endOf(answer: ReadAnswer, hasCalls: boolean) {
  const { finishReason, usage, response } = answer;
  const { candidates: [candidate = {}] = [], promptFeedback, responseId, modelVersion } = response;
  const { groundingMetadata, urlContextMetadata, safetyRatings, citationMetadata, finishMessage } =
    candidate;
  const google = {
    ...{ promptFeedback, groundingMetadata, urlContextMetadata, safetyRatings },
    ...{ citationMetadata, finishMessage, usageMetadata: usage },
  };
  const finish: FinishPart = {
    type: 'finish',
    finishReason: finishReasonOf(finishReason, hasCalls),
    usage: usageOf(usage),
    providerMetadata: { google: JSON.parse(JSON.stringify(google)) as JSONObject },
  };
  const metadata = {
    ...(responseId !== undefined && { id: responseId }),
    ...(modelVersion !== undefined && { modelId: modelVersion }),
  };
  return { finish, metadata };
}
