// Why this file exists: one conversation with everything that belongs to it: a core of its own, the client,
// and who answers.
import {
  Conversation,
  GeminiClient,
  createEmulator,
  load,
  type ConversationEvent,
  type Manifest,
  type Report,
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

/** A conversation that knows its requests. */
export class Session {
  readonly version: string;
  /** Who answers, as it stands in a sentence. */
  readonly service: string;
  readonly #request: Pick<SentRequest, 'lint' | 'resend'>;
  readonly #conversation: Conversation;
  #requests = 0;

  /** Loads a core of its own, so that a broken one ends with its conversation. */
  static async open({ model, apiKey, template }: Settings): Promise<Session> {
    const client = clientFor(apiKey);
    const strata = await load();
    const conversation = new Conversation(strata, client, {
      model,
      tools,
      static: { variables: instructions, ...(template === '' ? {} : { template }) },
      arguments: { assistant: { name: 'Prompt Strata', language: 'en' } },
      dynamic: { variables: state },
      generationConfig: { thinkingConfig: { includeThoughts: true } },
      answerRetry: false,
      now,
    });
    const service = apiKey === '' ? 'the emulator' : 'the Gemini API';
    return new Session(conversation, strata.version, service, {
      lint: (json) => strata.lint(json, { model }),
      resend: (body) => client.stream(model, body),
    });
  }

  private constructor(
    conversation: Conversation,
    version: string,
    service: string,
    request: Pick<SentRequest, 'lint' | 'resend'>,
  ) {
    this.#conversation = conversation;
    this.version = version;
    this.service = service;
    this.#request = request;
  }

  /** Whether a user's turn waits for an answer, so that `send('')` goes on with it. */
  get canResume(): boolean {
    return this.#conversation.unanswered;
  }

  send(text: string, signal: AbortSignal): AsyncIterable<ConversationEvent> {
    return this.#conversation.send(text, { signal });
  }

  /** Gives a request of this conversation its number. */
  sent(body: Uint8Array, manifest: Manifest): SentRequest {
    const { service } = this;
    const json = textOf(body);
    return { number: ++this.#requests, body, json, manifest, service, ...this.#request };
  }
}
