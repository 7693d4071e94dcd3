// Holds one conversation: its own core, its turns, and its client.
import {
  Conversation,
  GeminiClient,
  createEmulator,
  type ConversationEvent,
  type ConversationPlugin,
  type Manifest,
  type Report,
  type Strata,
  type Thread,
} from '../../index.js';
import type { CoreHolder } from '../core-holder.js';
import { textOf } from '../dom.js';
import { serviceNames, type ServiceKind } from '../settings/service.js';
import { tools } from './tools.js';

/** The settings that the user can change. */
export interface Settings {
  model: string;
  /** Kept in memory only. If empty, the emulator answers. */
  apiKey: string;
  /** The template of the static layer. If empty, the default template. */
  template: string;
}

/** A request that was sent. */
export interface SentRequest {
  number: number;
  body: Uint8Array;
  /** The body as text. */
  json: string;
  manifest: Manifest;
  /** The name of the service that answers. */
  service: string;
  /** Lints another body for the same model. */
  lint: (json: string) => Report;
  /** Sends another body to the same service. */
  resend: (body: Uint8Array) => Promise<Response>;
}

const now = () => new Date().toISOString();

// No automatic retries: the page shows each error and the requested delay.
function clientFor(apiKey: string): GeminiClient {
  if (apiKey !== '') return new GeminiClient({ apiKey, retry: false });
  const fetch = createEmulator({ delayMs: 30, checkSignatures: true, now });
  return new GeminiClient({ fetch, retry: false });
}

const instructions = {
  main_instruction: 'Answer in a few sentences. Ask the tools for weather and time.',
  constraints: ['Mention that the tools return data invented for a demonstration.'],
};

const state = {
  todos: [
    { title: 'Book the train to "Roma Termini"', checked: true },
    { title: 'Pack an umbrella', checked: false },
  ],
};

interface Content {
  role?: string;
  parts: { text?: string }[];
}

/** Returns the text that the user wrote in a Content; '' for model Contents and functionResponses. */
function userText(content: Uint8Array): string {
  const { role, parts }: Content = JSON.parse(textOf(content));
  return role === 'user' ? parts.map(({ text = '' }) => text).join('') : '';
}

/** A conversation and its requests. Key and template may change between sends. */
export class Session {
  /** The name of the service, for use in a sentence. */
  readonly service: string;
  readonly #strata: Strata;
  readonly #model: string;
  #client = clientFor('');
  #conversation: Conversation | undefined;
  /** The settings of the current client and conversation. */
  #apiKey = '';
  #template = '';
  #answered: Manifest | undefined;
  #requests = 0;

  /** Opens a session with its own core, so that a broken core affects only this conversation. */
  static async open(core: CoreHolder, model: string, service: ServiceKind): Promise<Session> {
    return new Session(await core.open(), model, service);
  }

  private constructor(strata: Strata, model: string, service: ServiceKind) {
    this.#strata = strata;
    this.#model = model;
    this.service = serviceNames[service];
  }

  /** Whether there are no turns and no requests. */
  get isEmpty(): boolean {
    return this.#requests === 0 && (this.#conversation?.thread.length ?? 0) === 0;
  }

  /** Whether a message waits for an answer, so that `send('')` resumes. */
  get canResume(): boolean {
    return this.#conversation?.unanswered ?? false;
  }

  /** The text of the user's message that has no answer yet. */
  get unanswered(): string | undefined {
    return this.#unanswered()?.text;
  }

  /**
   * Sends a text with this key and template.
   *
   * @throws StrataError `key.invalid`; the conversation is unchanged.
   */
  send(text: string, settings: Settings, signal: AbortSignal): AsyncIterable<ConversationEvent> {
    return this.#conversationWith(settings).send(text, { signal });
  }

  /** Removes the user's message that has no answer yet, and everything after it. */
  async removeUnanswered(): Promise<void> {
    const last = this.#unanswered();
    if (last) await this.#conversation?.rewind(last.index);
  }

  /** Assigns the next number to a request of this conversation. */
  recordRequest(body: Uint8Array, manifest: Manifest): SentRequest {
    const { service } = this;
    return {
      ...{ number: ++this.#requests, body, json: textOf(body), manifest, service },
      lint: (json) =>
        this.#strata.lint(json, { model: this.#model, now: new Date().toISOString() }),
      // Uses the current key, which may differ from the one of the request.
      resend: (other) => this.#client.stream(this.#model, other),
    };
  }

  #unanswered(): { index: number; text: string } | undefined {
    const { thread, unanswered } = this.#conversation ?? {};
    if (!thread || !unanswered) return undefined;
    for (let index = thread.length - 1; index >= 0; index--) {
      const text = userText(thread.content(index));
      if (text !== '') return { index, text };
    }
    return undefined;
  }

  // For another key or template, a new Conversation continues the same thread.
  #conversationWith({ apiKey, template }: Settings): Conversation {
    if (this.#conversation && apiKey === this.#apiKey && template === this.#template)
      return this.#conversation;
    if (apiKey !== this.#apiKey) this.#client = clientFor(apiKey);
    this.#apiKey = apiKey;
    this.#template = template;
    return (this.#conversation = this.#create(template, this.#conversation?.thread));
  }

  #create(template: string, thread: Thread | undefined): Conversation {
    return new Conversation(this.#strata, this.#client, {
      model: this.#model,
      tools,
      ...(thread ? { thread } : {}),
      static: { variables: instructions, ...(template === '' ? {} : { template }) },
      arguments: { assistant: { name: 'Prompt Strata', language: 'en' } },
      dynamic: { variables: state },
      generationConfig: { thinkingConfig: { includeThoughts: true } },
      answerRetry: false,
      plugins: [this.#lastAnswered()],
      now,
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
