// Holds one conversation: its own core, its turns, and its client.
import {
  Conversation,
  GeminiClient,
  type ConversationEvent,
  type ConversationPlugin,
  type Fetch,
  type Manifest,
  type ModelPrice,
  type Report,
  type Strata,
  type Thread,
} from '../../index.js';
import { createEmulator } from '../../emulator/index.js';
import type { Checker, Repaired } from '../../check/index.js';
import { dispose } from '../../sdk/internal/lifetime.js';
import type { CoreHolder } from '../engine/core-holder.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import { serviceNames, type ServiceKind } from '../state/service.js';
import { toolsOf, type AskForResult } from './chat-tools.js';
import { RawAnswer, recordingFetch } from './recording-fetch.js';
import { savedTurns, type SavedTurn, type ShownContent } from './saved-turns.js';
import { withTexts } from './turn-edits.js';
import {
  chatPrompt,
  generationConfigOf,
  settingsKey,
  type Settings,
} from '../engine/chat-settings.js';

/** A request that was sent. */
export interface SentRequest {
  number: number;
  body: Uint8Array;
  /** The body as text. */
  json: string;
  manifest: Manifest;
  /** The name of the service that answers. */
  service: string;
  /** The answer as it comes from the network. */
  answer: RawAnswer;
  /** Lints another body for the same model. */
  lint: (json: string) => Report;
  /** Repairs another body for the same model, with placeholders for lost signatures. */
  repair: (json: string) => Repaired;
  /** Sends another body to the same service. */
  resend: (body: Uint8Array) => Promise<Response>;
}

/** What a session is opened with. */
export interface SessionOptions {
  settings: Settings;
  service: ServiceKind;
  /** The text of `Thread.save`, or another history that the core imports; '' for none. */
  saved: string;
  /** Asks for the results of the document's tools. */
  ask: AskForResult;
}

const now = () => new Date().toISOString();

function fetchFor(apiKey: string): Fetch {
  if (apiKey !== '') return (input, init) => fetch(input, init);
  return createEmulator({ delayMs: 30, checkSignatures: true, now });
}

// No automatic retries: the page shows each error and the requested delay.
function clientFor(apiKey: string, fetch: Fetch): GeminiClient {
  return new GeminiClient({ ...(apiKey === '' ? {} : { apiKey }), fetch, retry: false });
}

interface Content {
  role?: string;
  parts: { text?: string }[];
}

/** Returns the text that the user wrote in a Content; '' for model Contents and functionResponses. */
function userText(content: Uint8Array): string {
  const { role, parts }: Content = JSON.parse(decodeUtf8(content));
  return role === 'user' ? parts.map(({ text = '' }) => text).join('') : '';
}

/** A conversation and its requests. Key, prompt and tools may change between sends. */
export class Session {
  /** The name of the service, for use in a sentence. */
  readonly service: string;
  readonly #strata: Strata;
  readonly #checker: Checker;
  readonly #options: SessionOptions;
  #fetch: Fetch = fetchFor('');
  #conversation: Conversation | undefined;
  /** The thread of the saved text, until the first Conversation takes it. */
  #thread: Thread;
  /** The settings of the current client and conversation. */
  #apiKey = '';
  #key = '';
  #answered: Manifest | undefined;
  #recording: RawAnswer | undefined;
  #requests = 0;

  /** Opens a session with its own core, so that a broken core affects only this conversation. */
  static async open(core: CoreHolder, options: SessionOptions): Promise<Session> {
    return new Session(await core.open(), await core.checker(), options);
  }

  private constructor(strata: Strata, checker: Checker, options: SessionOptions) {
    this.#strata = strata;
    this.#checker = checker;
    this.#options = options;
    this.service = serviceNames[options.service];
    this.#thread = this.#read(options.saved);
  }

  /** Whether there are no turns and no requests. */
  get isEmpty(): boolean {
    return !this.hasSent && this.thread.length === 0;
  }

  /** Whether it has sent a request. */
  get hasSent(): boolean {
    return this.#requests > 0;
  }

  /** The turns. Changes replace it, so do not hold on to the reference. */
  get thread(): Thread {
    return this.#conversation?.thread ?? this.#thread;
  }

  /** Whether a message waits for an answer, so that `send('')` resumes. */
  get canResume(): boolean {
    return this.thread.tail.awaitsAnswer;
  }

  /** The text of the user's message that has no answer yet. */
  get unanswered(): string | undefined {
    return this.#unanswered()?.text;
  }

  /** The text of `Thread.save`. */
  get saved(): string {
    return decodeUtf8(this.thread.save());
  }

  /** Returns the turns from `from` on. */
  turns(from = 0): SavedTurn[] {
    return savedTurns(decodeUtf8(this.thread.save(from)), from);
  }

  /**
   * Sends a text with these settings.
   *
   * @throws StrataError `key.invalid` or `json.invalid`; the conversation is unchanged.
   */
  send(text: string, settings: Settings, signal: AbortSignal): AsyncIterable<ConversationEvent> {
    return this.#conversationWith(settings).send(text, { signal });
  }

  /** Removes the user's message that has no answer yet, and everything after it. */
  removeUnanswered(): void {
    const last = this.#unanswered();
    if (last) this.rewind(last.index);
  }

  /** Removes all turns after the first `length`. */
  rewind(length: number): void {
    this.#replace(this.thread.fork(length));
  }

  /** Shows another course of the conversation. */
  load(saved: string): void {
    this.#replace(this.#read(saved));
  }

  /** Replaces the turns `[from, to)`. */
  rewrite(from: number, to: number, contents: readonly string[]): void {
    this.#replace(this.thread.rewrite([{ from, to, contents }]));
  }

  /** Returns the JSON of a turn with other texts. */
  withTexts(index: number, content: ShownContent, texts: readonly string[]): string {
    return withTexts(this.#checker, this.thread.content(index, 'content'), content, texts);
  }

  /** Returns the price of a model; undefined if the catalogue has none. */
  priceOf(model: string): ModelPrice | undefined {
    const { backend } = this.#options.settings;
    return this.#strata.modelLimits(model, { backend, now: now() }).price;
  }

  /** Assigns the next number to a request of this conversation. */
  recordRequest(body: Uint8Array, manifest: Manifest): SentRequest {
    const { service } = this;
    const { model, backend } = this.#options.settings;
    const answer = (this.#recording = new RawAnswer());
    return {
      ...{ number: ++this.#requests, body, json: decodeUtf8(body), manifest, service, answer },
      lint: (json) => this.#checker.lint(json, { model, backend, now: now() }),
      repair: (json) =>
        this.#checker.repair(json, { model, backend, now: now(), dummySignatures: true }),
      // Uses the current key, which may differ from the one of the request. The answer is not recorded.
      resend: (other) => clientFor(this.#apiKey, this.#fetch).stream(model, other),
    };
  }

  #unanswered(): { index: number; text: string } | undefined {
    const { thread } = this;
    if (!thread.tail.awaitsAnswer) return undefined;
    for (let index = thread.length - 1; index >= 0; index--) {
      const text = userText(thread.content(index, 'content'));
      if (text !== '') return { index, text };
    }
    return undefined;
  }

  // A history with errors is shown as well, and each request says what is wrong with it.
  #read(saved: string): Thread {
    const { model, backend } = this.#options.settings;
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

  // For another key, prompt or tool, a new Conversation continues the same thread.
  #conversationWith(settings: Settings): Conversation {
    const key = settingsKey(settings);
    if (this.#conversation && key === this.#key) return this.#conversation;
    const { apiKey } = settings;
    // The emulator keeps its caches as long as the key does not change.
    const fetch = apiKey === this.#apiKey ? this.#fetch : fetchFor(apiKey);
    const client = clientFor(
      apiKey,
      recordingFetch(fetch, () => this.#recording),
    );
    this.#conversation = this.#create(settings, client);
    this.#thread = this.#conversation.thread;
    this.#fetch = fetch;
    this.#apiKey = apiKey;
    this.#key = key;
    return this.#conversation;
  }

  #create({ prompt, ...settings }: Settings, client: GeminiClient): Conversation {
    const { model, backend, caching } = settings;
    return new Conversation(this.#strata, client, {
      ...{ model, backend, caching, now, answerRetry: false },
      ...chatPrompt(prompt),
      thread: this.thread,
      tools: toolsOf(settings, this.#options.ask),
      generationConfig: generationConfigOf(settings.generationConfig),
      // A person answers, who may take any time.
      toolTimeoutMs: 0,
      plugins: [this.#lastAnswered()],
    });
  }

  // Passes the last answered request on to a new Conversation.
  #lastAnswered(): ConversationPlugin {
    return {
      name: 'last answered request',
      beforeRequest: (_thread, input) => {
        const previous = input.previous ?? this.#answered;
        return previous ? { ...input, previous } : input;
      },
      afterAnswer: (_usage, manifest) => {
        this.#answered = manifest;
      },
    };
  }
}
