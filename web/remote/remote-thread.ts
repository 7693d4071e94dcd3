// Implements a thread that a Worker keeps, with the events and the methods of a Conversation.
import { Watch } from '../sdk/internal/lifetime.js';
import * as must from '../sdk/internal/options.js';
import { AnswerStream, streamOptions, type StreamOptions } from '../sdk/chat/answer-stream.js';
import { ResultReader, noAnswerYet, type AskResult } from '../sdk/chat/ask-result.js';
import type { ConversationInput } from '../sdk/chat/conversation-input.js';
import { sendOptions, EventChannel, type SendOptions } from '../sdk/chat/event-channel.js';
import type { Content } from '../sdk/types/gemini/contents.js';
import type {
  RemoteCall,
  RemoteEvent,
  CallResult,
  RemoteState,
  RemoteTurn,
} from './remote-state.js';
import { CallerTools } from './caller-tools.js';
import { conversationEvents, isLocal, watchThread } from './event-feed.js';
import { newKey, readTurns, stateIn, ThreadRequests, WorkerRequests } from './thread-requests.js';
import {
  forkOptions,
  turnsOptions,
  watchOptions,
  connectOptions,
  type ConnectOptions,
  type ForkOptions,
  type TurnsOptions,
  type WatchOptions,
} from './options.js';
import { RemoteError } from './remote-error.js';
import { RemoteSend, type UnfinishedSend } from './remote-send.js';
import { decodeUtf8 } from '../sdk/internal/bytes.js';
import { jsonPart } from '../sdk/internal/json-input.js';

const callResult: must.Check = (value, path) => {
  must.checkOptions<CallResult>(
    value,
    { callId: must.nonEmptyString, response: must.unchecked, error: must.optional(must.string) },
    path,
  );
  const { response, error } = value as CallResult;
  if ((response === undefined) === (error === undefined))
    throw must.invalidOption(path, 'a result with either `response` or `error`');
};

/**
 * A conversation that a Worker keeps. `send`, `ask` and `stream` are those of a `Conversation`; a lost connection is
 * made again, and no event is lost or repeated. Create it with `connectThread`. Every call throws RemoteError, a
 * GeminiError, if the Worker refuses it or cannot be reached.
 */
export class RemoteThread {
  /** The id of the thread, for `connectThread`. */
  readonly id: string;
  readonly #options: ConnectOptions;
  readonly #requests: ThreadRequests;
  readonly #tools: CallerTools;
  /** The calls that `answer` has answered. */
  readonly #answered = new Set<string>();
  readonly #unfinished: UnfinishedSend = {};
  /** The findings that a result has reported. */
  readonly #reported = new Set<string>();

  /** @internal */
  constructor(options: ConnectOptions, worker: WorkerRequests, tools: CallerTools, id: string) {
    this.id = id;
    this.#options = options;
    this.#requests = new ThreadRequests(worker, id);
    this.#tools = tools;
  }

  /**
   * Sends a message, runs the tools of this caller that the model calls, and returns the last answer. The request
   * starts at once, whether or not the promise is awaited.
   *
   * @throws what `send` throws; StrataError `conversation.waiting` if calls remain open
   *
   * @example
   * const { text } = await thread.ask('What is the weather in Oslo?');
   */
  async ask(input: ConversationInput, options: SendOptions = {}): Promise<AskResult> {
    let result: AskResult | undefined;
    const reader = new ResultReader(this.#reported, true);
    for await (const event of this.send(input, options))
      if (isLocal(event)) result = reader.add(event) ?? result;
    if (!result) throw noAnswerYet();
    return result;
  }

  /**
   * Sends a message and returns its answer as a stream, as `Conversation.stream` does. It has the events of a
   * conversation only.
   *
   * @throws StrataError `field.unknown` or `field.invalid` for an invalid option; reading throws what `send` throws
   *
   * @example
   * for await (const text of thread.stream('Hello').textStream) process.stdout.write(text);
   */
  stream(input: ConversationInput, options: StreamOptions = {}): AnswerStream {
    must.checkOptions(options, streamOptions);
    const { stallTimeoutMs, ...others } = options;
    const events = conversationEvents(this.send(input, others));
    return new AnswerStream(events, new ResultReader(this.#reported, true), stallTimeoutMs);
  }

  /**
   * Sends a message, yields the events of the send, and runs the tools of this caller that the model calls. A blank text
   * continues a send that runs or waits, or whose connection was lost, or else a turn that awaits an answer. The send
   * starts with the first event that you ask for. Leaving the loop and aborting the signal abort it in the Worker, too;
   * leaving it at `waiting` and a lost connection do not.
   *
   * @throws RemoteError if the Worker refuses the message or the send fails; the signal's reason after an abort;
   *   StrataError `field.invalid` or `json.invalid` for an input that is no message, `conversation.waiting` if calls
   *   are still open, so that a message cannot be added
   */
  send(
    input: ConversationInput,
    options: SendOptions = {},
  ): AsyncIterableIterator<RemoteEvent, undefined> {
    let watch: Watch | undefined;
    const run = async (events: EventChannel<RemoteEvent>) => {
      must.checkOptions(options, sendOptions);
      watch = new Watch(options.signal, 0, Error);
      const [requests, tools] = [this.#requests, this.#tools];
      const wasAnswered = ({ callId }: RemoteCall) => this.#answered.delete(callId);
      const [{ onRetry }, unfinished] = [this.#options, this.#unfinished];
      const forget = () => this.#forget();
      const parts = { requests, tools, onRetry, wasAnswered, unfinished, forget };
      try {
        await new RemoteSend(parts, watch, events).run(input);
      } finally {
        watch.release();
      }
    };
    return new EventChannel<RemoteEvent>(run, () => watch?.abort(), new Error());
  }

  /**
   * Yields the events of all sends, whoever started them: from the first event of the last send, or after the event
   * `after`, and from then on as they happen. Stopping changes nothing in the Worker. Tools are not run.
   *
   * @throws RemoteError `events.expired` if the Worker no longer has the events after `after`, `thread.deleted` after
   *   the thread was deleted; the signal's reason after an abort
   *
   * @example
   * for await (const event of thread.watch({ signal })) if (event.type === 'text') show(event.text);
   */
  watch(options: WatchOptions = {}): AsyncIterableIterator<RemoteEvent, undefined> {
    const check = () => must.checkOptions(options, watchOptions);
    return watchThread(this.#requests, this.#options.onRetry, options, check);
  }

  /**
   * Posts results of calls that `waiting` named and that no tool of this client answers. A running `send` continues when
   * all calls have results; the same result may be posted again.
   *
   * @throws RemoteError `call.unknown` for a call that is not open, `call.answered` for one with another result;
   *   StrataError `field.unknown` or `field.invalid`
   *
   * @example
   * await thread.answer([{ callId, response: { approved: true } }]);
   */
  async answer(results: readonly CallResult[], options: SendOptions = {}): Promise<void> {
    must.arrayOf(callResult)(results, '/results');
    must.checkOptions(options, sendOptions);
    await this.#requests.results([...results], options);
    for (const { callId } of results) this.#answered.add(callId);
  }

  /**
   * Yields the turns of the thread, from the first one, or those after the first `after`.
   *
   * @throws RemoteError; StrataError `field.unknown` or `field.invalid`
   */
  async *turns(options: TurnsOptions = {}): AsyncGenerator<RemoteTurn, void, void> {
    must.checkOptions(options, turnsOptions);
    yield* readTurns(this.#requests, options.after ?? 0, options);
  }

  /**
   * Returns all turns as Contents.
   *
   * @throws RemoteError; StrataError `field.unknown` or `field.invalid`
   */
  async history(options: SendOptions = {}): Promise<Content[]> {
    const contents: Content[] = [];
    for await (const { content } of this.turns(options)) contents.push(content);
    return contents;
  }

  /**
   * Returns what the thread is doing, its number of turns, and the calls that have no result.
   *
   * @throws RemoteError; StrataError `field.unknown` or `field.invalid`
   */
  async state(options: SendOptions = {}): Promise<RemoteState> {
    must.checkOptions(options, sendOptions);
    return this.#requests.state(options);
  }

  /**
   * Aborts the running send and those that wait, whoever started them, and returns their number.
   *
   * @throws RemoteError; StrataError `field.unknown` or `field.invalid`
   */
  async abort(options: SendOptions = {}): Promise<number> {
    must.checkOptions(options, sendOptions);
    return this.#requests.abort(undefined, options);
  }

  /**
   * Returns a new thread with the turns of this one, or the first of them, and with the same tools.
   *
   * @throws RemoteError; StrataError `field.unknown` or `field.invalid`
   */
  async fork(options: ForkOptions = {}): Promise<RemoteThread> {
    must.checkOptions(options, forkOptions);
    const { signal, ...body } = options;
    const { worker } = this.#requests;
    const headers = { 'idempotency-key': newKey() };
    const request = this.#requests.to('POST', '/fork', { headers, body, signal });
    const { id } = stateIn(await worker.json(request));
    return new RemoteThread(this.#options, worker, new CallerTools(this.#options), id);
  }

  /**
   * Removes all turns after the first `turns`.
   *
   * @throws RemoteError with the status 409 while a send is running; StrataError `field.unknown` or `field.invalid`
   */
  async rewind(turns: number, options: SendOptions = {}): Promise<void> {
    must.count(turns, '/turns');
    must.checkOptions(options, sendOptions);
    await this.#drained(this.#requests.to('POST', '/rewind', { body: { turns }, ...options }));
    this.#forget();
  }

  /**
   * Returns the saved thread, as `Thread.save` writes it, for `strata.thread({ from })` and `connectThread({ from })`.
   *
   * @throws RemoteError; StrataError `field.unknown` or `field.invalid`
   */
  async export(options: SendOptions = {}): Promise<Uint8Array> {
    must.checkOptions(options, sendOptions);
    const request = this.#requests.to('GET', '/export', options);
    return this.#requests.worker.bytes(request);
  }

  /**
   * Deletes the thread. Sends that run are aborted.
   *
   * @throws RemoteError; StrataError `field.unknown` or `field.invalid`
   */
  async delete(options: SendOptions = {}): Promise<void> {
    must.checkOptions(options, sendOptions);
    let attempts = 0;
    const request = this.#requests.to('DELETE', '', options);
    try {
      await this.#requests.worker.send(
        request,
        async ({ body }) => body?.cancel(),
        () => attempts++,
      );
    } catch (error) {
      // The response of an earlier attempt was lost.
      if (!(attempts > 0 && error instanceof RemoteError && error.status === 404)) throw error;
    }
    this.#forget();
  }

  async #drained(request: ReturnType<ThreadRequests['to']>): Promise<void> {
    await this.#requests.worker.send(request, async ({ body }) => body?.cancel());
  }

  #forget(): void {
    this.#tools.forget();
    this.#answered.clear();
    this.#unfinished.last = undefined;
  }
}

/**
 * Creates a thread in a Worker of this package (docs/worker.md), or opens the one with this `id`.
 *
 * @throws RemoteError if the Worker refuses it, `thread.unknown` for an id that this caller has no thread with;
 *   StrataError `field.unknown`, `field.invalid`, `key.invalid` or `json.invalid` for invalid options
 *
 * @example
 * const thread = await connectThread({ url: 'https://threads.example.workers.dev', key });
 * for await (const event of thread.send('Hello')) if (event.type === 'text') print(event.text);
 */
export async function connectThread(options: ConnectOptions): Promise<RemoteThread> {
  must.checkOptions(options, connectOptions);
  const worker = new WorkerRequests(options);
  const tools = new CallerTools(options);
  const { id, signal } = options;
  if (id === undefined) {
    const created = await create(worker, tools, options);
    return new RemoteThread(options, worker, tools, created);
  }
  await new ThreadRequests(worker, id).state({ signal });
  return new RemoteThread(options, worker, tools, id);
}

async function create(
  worker: WorkerRequests,
  tools: CallerTools,
  { configuration, from, signal }: ConnectOptions,
): Promise<string> {
  const body = { configuration, tools: await tools.declarations(signal), from: historyOf(from) };
  const headers = { 'idempotency-key': newKey() };
  const request = { method: 'POST', path: '/threads', headers, body, signal } as const;
  return stateIn(await worker.json(request)).id;
}

// Text and bytes are sent as a text, which may be a saved thread; any other history is JSON.
function historyOf(from: ConnectOptions['from']): unknown {
  const part = jsonPart(from, '/from');
  if (part instanceof Uint8Array) return decodeUtf8(part);
  return typeof from === 'string' || part === undefined ? part : JSON.parse(part);
}
