// Holds one conversation: a core of its own, its turns, and the client that sends them.
import {
  Conversation,
  GeminiClient,
  createEmulator,
  load,
  type ConversationEvent,
  type ConversationPlugin,
  type Manifest,
  type Report,
  type Strata,
  type Thread,
} from '../index.js';
import { textOf } from './dom.js';
import { tools } from './tools.js';

/** What the user can choose. */
export interface Settings {
  model: string;
  /** Kept in memory only. Empty: the emulator answers. */
  apiKey: string;
  /** Of the static layer. Empty: the default one. */
  template: string;
}

/** Who answers: the API, the emulator, or nobody because the key is invalid. */
export type Service = 'emulator' | 'api' | 'nobody';

/** A service as it stands in a sentence. */
export const serviceNames: Record<Service, string> = {
  emulator: 'the emulator',
  api: 'the Gemini API',
  nobody: 'nobody',
};

/** A request as it was sent. */
export interface SentRequest {
  number: number;
  body: Uint8Array;
  /** The body's bytes as text. */
  json: string;
  manifest: Manifest;
  /** Who answers. */
  service: string;
  /** Judges another body for the same model. */
  lint: (json: string) => Report;
  /** Sends another body to the same service. */
  resend: (body: Uint8Array) => Promise<Response>;
}

const now = () => new Date().toISOString();

// Nothing is tried again behind the user's back: the page shows the error and the delay it asks for.
function clientFor(apiKey: string): GeminiClient {
  if (apiKey !== '') return new GeminiClient({ apiKey, retry: false });
  const fetch = createEmulator({ delayMs: 30, checkSignatures: true, now });
  return new GeminiClient({ fetch, retry: false });
}

const instructions = {
  main_instruction: 'Answer in a few sentences. Ask the tools for weather and time.',
  constraints: ['Say that what the tools tell is invented for a demonstration.'],
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

/** The text of a Content that the user wrote; '' for the model's, and for results of tools. */
function userText(content: Uint8Array): string {
  const { role, parts }: Content = JSON.parse(textOf(content));
  return role === 'user' ? parts.map(({ text = '' }) => text).join('') : '';
}

/** A conversation that knows its requests. Key and template may differ from send to send. */
export class Session {
  readonly version: string;
  /** Who answers, as it stands in a sentence. */
  readonly service: string;
  readonly #strata: Strata;
  readonly #model: string;
  #client = clientFor('');
  #conversation: Conversation | undefined;
  /** What client and conversation were made with. */
  #apiKey = '';
  #template = '';
  #answered: Manifest | undefined;
  #requests = 0;

  /** Loads a core of its own, so that a broken one ends with its conversation. */
  static async open(model: string, service: Service): Promise<Session> {
    return new Session(await load(), model, service);
  }

  private constructor(strata: Strata, model: string, service: Service) {
    this.#strata = strata;
    this.#model = model;
    this.version = strata.version;
    this.service = serviceNames[service];
  }

  /** Whether nothing was said and nothing was sent. */
  get isEmpty(): boolean {
    return this.#requests === 0 && (this.#conversation?.thread.length ?? 0) === 0;
  }

  /** Whether a user's turn waits for an answer, so that `send('')` continues with it. */
  get canResume(): boolean {
    return this.#conversation?.unanswered ?? false;
  }

  /** The user's message that has no answer yet. */
  get unanswered(): string | undefined {
    return this.#unanswered()?.text;
  }

  /**
   * Sends a text with this key and template.
   *
   * @throws StrataError `key.invalid`; the conversation stays as it was.
   */
  send(text: string, settings: Settings, signal: AbortSignal): AsyncIterable<ConversationEvent> {
    return this.#conversationWith(settings).send(text, { signal });
  }

  /** Removes the user's message that has no answer yet, with everything after it. */
  async takeBack(): Promise<void> {
    const last = this.#unanswered();
    if (last) await this.#conversation?.rewind(last.index);
  }

  /** Gives a request of this conversation its number. */
  sent(body: Uint8Array, manifest: Manifest): SentRequest {
    const { service } = this;
    return {
      ...{ number: ++this.#requests, body, json: textOf(body), manifest, service },
      lint: (json) => this.#strata.lint(json, { model: this.#model }),
      // With the key of that moment: the one of the request may have been replaced.
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

  // Another key or template changes no turn: a new Conversation continues the same thread.
  #conversationWith({ apiKey, template }: Settings): Conversation {
    if (this.#conversation && apiKey === this.#apiKey && template === this.#template)
      return this.#conversation;
    if (apiKey !== this.#apiKey) this.#client = clientFor(apiKey);
    this.#apiKey = apiKey;
    this.#template = template;
    return (this.#conversation = this.#begin(template, this.#conversation?.thread));
  }

  #begin(template: string, thread: Thread | undefined): Conversation {
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

  // A new Conversation does not know what an earlier one sent.
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
