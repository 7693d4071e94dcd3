// Holds one conversation: its own core, its turns, and its client.
import {
  Conversation,
  GeminiClient,
  type ConversationEvent,
  type ConversationPlugin,
  type Fetch,
  type FunctionTool,
  type Json,
  type Manifest,
  type RequestEvent,
  type Strata,
  type Thread,
  type ToolCall,
  StrataError,
} from '../../index.js';
import { createEmulator } from '../../emulator/index.js';
import type { Checker } from '../../check/index.js';
import { dispose } from '../../sdk/internal/lifetime.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import type { CoreHolder } from '../engine/core-holder.js';
import { chatPrompt, generationConfigOf, type Settings } from '../engine/chat-settings.js';
import type { ServiceKind } from '../state/service.js';
import { forEmulator, forGoogle } from '../engine/signatures.js';
import { declarationsIn, type Declaration } from '../engine/declaration.js';
import { tools as demonstrations } from '../engine/demonstration-tools.js';
import { messageOf } from '../../sdk/internal/messages.js';
import { recordingFetch, type RawAnswer } from './requests.js';
import { savedTurns, textOfContent, type SavedTurn } from './turns.js';

const now = () => new Date().toISOString();

// Saved turns are made into requests again without a network.
const noFetch: Fetch = () => Promise.reject(new Error('Nothing is sent here.'));

function fetchFor(apiKey: string, checker: Checker): Fetch {
  if (apiKey !== '') return (input, init) => fetch(input, init);
  const emulator = createEmulator({ checker, delayMs: 30, checkSignatures: true, now });
  // A first request loads the emulator, so that no message waits for that. A message tries again after a failure.
  emulator('https://generativelanguage.googleapis.com/v1beta/models').catch(() => undefined);
  return emulator;
}

// No automatic retries: the page shows each error and the requested delay.
function clientFor(apiKey: string, fetch: Fetch): GeminiClient {
  return new GeminiClient({ ...(apiKey === '' ? {} : { apiKey }), fetch, retry: false });
}

/** The saved turns of a conversation, what they are sent with, and who asks for results that a person writes. */
interface Opening {
  saved: string;
  settings: Settings;
  ask: AskForResult;
}

/** A conversation. Model, service, key, prompt and tools may change between sends. */
export class Session {
  readonly checker: Checker;
  readonly #strata: Strata;
  readonly #ask: AskForResult;
  #fetch: Fetch;
  #apiKey: string;
  #settings: Settings;
  /** The service that takes the signatures of the turns; undefined until the first send. */
  #service: ServiceKind | undefined;
  #conversation: Conversation | undefined;
  /** The thread of the saved text, until the first Conversation takes it. */
  #thread: Thread;
  #key = '';
  #answered: Manifest | undefined;
  /** Where the answer to the current request is recorded. */
  recording: RawAnswer | undefined;

  /** Opens a session with its own core, so that a broken core affects only this conversation. */
  static async open(core: CoreHolder, opening: Opening): Promise<Session> {
    return new Session(await core.open(), await core.checker(), opening);
  }

  private constructor(strata: Strata, checker: Checker, { saved, settings, ask }: Opening) {
    this.#strata = strata;
    this.checker = checker;
    this.#settings = settings;
    this.#ask = ask;
    this.#apiKey = settings.apiKey;
    this.#fetch = fetchFor(settings.apiKey, checker);
    this.#thread = this.#read(saved, settings);
  }

  /** The turns. Changes replace it, so do not hold on to the reference. */
  get thread(): Thread {
    return this.#conversation?.thread ?? this.#thread;
  }

  get saved(): string {
    return decodeUtf8(this.thread.save());
  }

  turns(from = 0): SavedTurn[] {
    return savedTurns(decodeUtf8(this.thread.save(from)), from);
  }

  /** Prepares a send with these settings. Returns whether signatures of another service had to give way. */
  use(settings: Settings, service: ServiceKind): boolean {
    const before = this.#settings;
    this.#settings = settings;
    // With an invalid key, nothing will be sent.
    if (service === 'none') return false;
    const isSame = before.model === settings.model && before.backend === settings.backend;
    if (isSame && this.#service === service) return false;
    this.#service = service;
    const { saved } = this;
    const taken = service === 'emulator' ? forEmulator(saved) : forGoogle(saved);
    if (isSame && taken === saved) return false;
    if (!isSame) this.#answered = undefined;
    this.#replace(this.#read(taken, settings));
    return taken !== saved;
  }

  /**
   * Sends a text with the settings of `use`. '' requests the answer that is missing.
   *
   * @throws StrataError `key.invalid` or `json.invalid`; the conversation is unchanged.
   */
  send(text: string, signal: AbortSignal): AsyncIterable<ConversationEvent> {
    return this.#current().send(text, { signal });
  }

  /** The user's message that has no answer yet: its turn and its text. */
  get unanswered(): { index: number; text: string } | undefined {
    if (!this.thread.tail.awaitsAnswer) return undefined;
    const messages = this.turns().filter(({ content }) => content.role === 'user');
    const texts = messages.map(({ index, content }) => ({ index, text: textOfContent(content) }));
    return texts.findLast(({ text }) => text !== '');
  }

  rewind(length: number): void {
    this.#replace(this.thread.fork(length));
  }

  load(saved: string, settings: Settings): void {
    this.#settings = settings;
    this.#service = undefined;
    this.#answered = undefined;
    this.#replace(this.#read(saved, settings));
  }

  rewrite(from: number, to: number, contents: readonly string[]): void {
    this.#replace(this.thread.rewrite([{ from, to, contents }]));
  }

  /** Sends a body of generateContent with the current key. The answer is not recorded. */
  resend(model: string, body: Uint8Array): Promise<Response> {
    return clientFor(this.#apiKey, this.#fetch).stream(model, body);
  }

  /**
   * Makes the request that an answer belongs to once more, from the turns before it and with the current prompt.
   * `previous` is the manifest of the request before.
   *
   * @throws HistoryError, TemplateError or StrataError if there is no such request
   */
  async rebuild(
    { index, model, form, manifest }: SavedTurn,
    previous: Manifest | undefined,
    settings: Settings,
  ): Promise<RequestEvent | undefined> {
    using before = this.thread.fork(index);
    const wire = manifest?.wire ?? form;
    const then = { ...settings, model: model ?? settings.model, wire, caching: false };
    using thread = this.#read(decodeUtf8(before.save()), then);
    const plugins = [continued(() => previous)];
    using conversation = this.#create(then, clientFor('', noFetch), { thread, plugins });
    for await (const event of conversation.send('')) if (event.type === 'request') return event;
    return undefined;
  }

  // A history with errors is shown as well, and each request says what is wrong with it.
  #read(saved: string, { model, backend }: Settings): Thread {
    const options = { model, backend, now: now(), sequencing: 'api' } as const;
    if (saved.trim() === '') return this.#strata.thread({ ...options, policy: 'repair' });
    try {
      return this.#strata.thread({ ...options, policy: 'repair', from: saved });
    } catch {
      return this.#strata.thread({ ...options, policy: 'warn', from: saved });
    }
  }

  #replace(thread: Thread): void {
    const old = this.thread;
    this.#thread = thread;
    this.#conversation = undefined;
    old[dispose]();
  }

  // For other settings, a new Conversation continues the same thread.
  #current(): Conversation {
    const settings = this.#settings;
    const key = JSON.stringify(settings);
    if (this.#conversation && key === this.#key) return this.#conversation;
    const { apiKey } = settings;
    // The emulator keeps its caches as long as the key does not change.
    const fetch = apiKey === this.#apiKey ? this.#fetch : fetchFor(apiKey, this.checker);
    const recorded = recordingFetch(fetch, () => this.recording);
    const client = clientFor(apiKey, recorded);
    const noteAnswered = (manifest: Manifest) => (this.#answered = manifest);
    const plugins = [continued(() => this.#answered, noteAnswered)];
    this.#conversation = this.#create(settings, client, { thread: this.thread, plugins });
    this.#thread = this.#conversation.thread;
    this.#fetch = fetch;
    this.#apiKey = apiKey;
    this.#key = key;
    return this.#conversation;
  }

  #create(
    { prompt, model, backend, wire, caching, ...settings }: Settings,
    client: GeminiClient,
    more: { thread: Thread; plugins: ConversationPlugin[] },
  ): Conversation {
    return new Conversation(this.#strata, client, {
      // The Interactions API has no explicit caches.
      ...{ model, backend, wire, caching: caching && wire !== 'interactions', answerRetry: false },
      ...chatPrompt(prompt),
      ...{ ...more, now },
      tools: toolsOf(settings, this.#ask),
      generationConfig: generationConfigOf(settings.generationConfig),
      // A person answers, who may take any time.
      toolTimeoutMs: 0,
    });
  }
}

// Gives a request the time of the turn that it ends with, so that it can be made again, and compares it with the one
// before, which another Conversation may have sent.
const continued = (
  previous: () => Manifest | undefined,
  answered: (manifest: Manifest) => void = () => {},
): ConversationPlugin => ({
  name: 'time and previous request',
  beforeRequest: (thread, input) => {
    const [last] = savedTurns(decodeUtf8(thread.save(thread.length - 1)));
    const before = input.previous ?? previous();
    const time = last?.at === undefined ? {} : { now: last.at };
    return { ...input, ...time, ...(before && { previous: before }) };
  },
  afterAnswer: (_usage, manifest) => answered(manifest),
});

/** A call that waits for the result that a person writes. */
export interface OpenCall {
  call: ToolCall;
  tool: Declaration;
  answer: (result: Json) => void;
  fail: (message: string) => void;
}

type AskForResult = (open: OpenCall) => void;

const toolOf = (tool: Declaration, ask: AskForResult): FunctionTool => ({
  ...tool,
  run: (_args, { call, signal: stop }) =>
    new Promise<Json>((answer, reject) => {
      const abort = () => reject(stop.reason);
      if (stop.aborted) return abort();
      stop.addEventListener('abort', abort, { once: true });
      const fail = (message: string) =>
        reject(new Error(message.trim() === '' ? `${call.name} failed.` : message));
      ask({ call, tool, answer, fail });
    }),
});

/**
 * Returns the tools of a conversation: those of the document or, if it has none, two that show how tools work.
 *
 * @throws StrataError `json.invalid` for tools that cannot be read
 */
function toolsOf(
  { tools, demonstration }: Pick<Settings, 'tools' | 'demonstration'>,
  ask: AskForResult,
): FunctionTool[] {
  try {
    const declared = declarationsIn(tools);
    if (declared.length > 0) return declared.map((one) => toolOf(one, ask));
  } catch (error) {
    throw new StrataError('json.invalid', `The tools are invalid: ${messageOf(error)}`);
  }
  return demonstration ? demonstrations : [];
}
