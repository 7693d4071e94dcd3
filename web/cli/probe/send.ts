// Sends the requests of a probe and reads what the API did with each.
import { GeminiClient, GeminiError, type Backend } from '../../index.js';
import { messageOf } from '../../sdk/internal/messages.js';
import type { Outcome, ProbeRequest } from './types.js';

/** The API cannot be probed with this key, or not be reached. */
export class ProbeStopped extends Error {}

const emulatorHeader = 'x-prompt-strata-emulator';

/** Where Vertex AI serves its models with an API key. */
const endpoints = {
  gemini: { baseUrl: 'https://generativelanguage.googleapis.com', apiVersion: 'v1beta' },
  vertex: { baseUrl: 'https://aiplatform.googleapis.com', apiVersion: 'v1' },
};

/** Returns the base URL of a service. */
export const serviceOf = (backend: Backend) => endpoints[backend].baseUrl;

/** What `ProbeSender` needs. */
export interface SenderOptions {
  backend: Backend;
  apiKey?: string;
  baseUrl: string;
  fetch?: typeof fetch;
  /** Called before a request is sent again, with the reason. */
  onWait: (reason: string, delayMs: number) => void;
}

const nameOnVertex = (model: string) =>
  model.includes('/') ? model : `publishers/google/models/${model}`;

const countOf = (usage: unknown, name: string): number => {
  const { [name]: count } = Object(usage) as { [name: string]: unknown };
  return typeof count === 'number' ? count : 0;
};

async function acceptedOutcome(response: Response): Promise<Outcome> {
  const { usageMetadata } = Object(await response.json()) as { usageMetadata?: unknown };
  const count = (name: string) => countOf(usageMetadata, name);
  return {
    taken: 'accepted',
    inputTokens: count('promptTokenCount'),
    outputTokens: count('candidatesTokenCount') + count('thoughtsTokenCount'),
    emulated: response.headers.has(emulatorHeader),
  };
}

// The API answers 400 to an invalid key too.
function isInvalidKey({ message, details }: GeminiError): boolean {
  const isNamed = details.some((detail) => Object(detail).reason === 'API_KEY_INVALID');
  return isNamed || /^API key (not valid|expired)/i.test(message);
}

function outcomeOf(error: GeminiError): Outcome {
  const { status, message, code } = error;
  if ([401, 403].includes(status) || code === 'network' || isInvalidKey(error)) {
    throw new ProbeStopped(message);
  }
  return { taken: status === 400 ? 'refused' : 'undecided', status, message };
}

/** Sends requests one after the other. Errors 429 and 5xx are retried as `GeminiClient` does. */
export class ProbeSender {
  readonly #client: GeminiClient;
  readonly #options: SenderOptions;

  /** @throws StrataError `key.invalid` */
  constructor(options: SenderOptions) {
    const { backend, apiKey, baseUrl, fetch } = options;
    const { apiVersion } = endpoints[backend];
    this.#client = new GeminiClient({ apiKey, baseUrl, apiVersion, ...(fetch && { fetch }) });
    this.#options = options;
  }

  /**
   * Returns what the API does with a request.
   *
   * @throws ProbeStopped if it refuses the key or cannot be reached
   */
  async send(request: ProbeRequest): Promise<Outcome> {
    try {
      return await this.#attempt(request).catch((error: unknown) => {
        // A connection that was closed while idle. Sending a probe twice does no harm.
        if (Object(error).code === 'network') return this.#attempt(request);
        throw error;
      });
    } catch (error) {
      if (error instanceof GeminiError) return outcomeOf(error);
      throw new ProbeStopped(this.#client.redact(messageOf(error)));
    }
  }

  async #attempt({ model, body }: ProbeRequest): Promise<Outcome> {
    const { backend, onWait } = this.#options;
    const name = backend === 'vertex' ? nameOnVertex(model) : model;
    const onRetry = ({ code }: GeminiError, delayMs: number) => onWait(code, delayMs);
    return acceptedOutcome(await this.#client.generate(name, body, { onRetry }));
  }
}
