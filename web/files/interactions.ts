// Calls the methods of the Interactions API other than its streams (https://ai.google.dev/api/interactions-api).
import type { WaitOptions } from '../sdk/client/resources.js';
import type { Endpoint } from '../sdk/client/endpoint.js';
import { isCall, type CallOptions, type Http } from '../sdk/client/http.js';
import type { Interaction } from '../sdk/types/gemini/interaction.js';
import { GeminiError } from '../sdk/internal/errors.js';
import { askUntil } from './requests.js';

const collection = 'interactions';
const running = ['queued', 'in_progress'];

/**
 * Implements `Interactions`.
 */
export class InteractionCalls {
  readonly #http: Http;
  readonly #endpoint: Endpoint;

  constructor(http: Http, endpoint: Endpoint) {
    this.#http = http;
    this.#endpoint = endpoint;
  }

  async create(body: Uint8Array | undefined, options?: CallOptions): Promise<Interaction> {
    const url = this.#endpoint.url(this.#endpoint.below(collection));
    return (await this.#http.call({ method: 'POST', url, body }, options)) as Interaction;
  }

  async get(id: string, options?: CallOptions): Promise<Interaction> {
    return (await this.#http.call({ method: 'GET', url: this.#url(id) }, options)) as Interaction;
  }

  async answer(id: string, options?: CallOptions): Promise<Response> {
    isCall(options, '');
    return this.#http.send({ ...options, method: 'GET', url: this.#url(id) });
  }

  async resume(id: string, lastEventId?: string, options?: CallOptions): Promise<Response> {
    isCall(options, '');
    const after =
      lastEventId === undefined ? '' : `&last_event_id=${encodeURIComponent(lastEventId)}`;
    const url = this.#url(id, `?stream=true${after}`);
    return this.#http.send({ ...options, method: 'GET', url });
  }

  wait(id: string, options: WaitOptions = {}): Promise<Interaction> {
    const { onRetry } = options;
    const ask = (signal: AbortSignal | undefined) => this.get(id, { signal, onRetry });
    return askUntil(ask, ({ status }) => !running.includes(status), {
      options,
      slow: (_, ms) => new GeminiError('timeout', `Interaction ${id} did not end within ${ms} ms`),
    });
  }

  async cancel(id: string, options?: CallOptions): Promise<Interaction> {
    // Vertex AI writes it like its other verbs.
    const verb = this.#endpoint.backend === 'vertex' ? ':cancel' : '/cancel';
    const url = this.#url(id, verb);
    return (await this.#http.call({ method: 'POST', url }, options)) as Interaction;
  }

  async delete(id: string, options?: CallOptions): Promise<void> {
    await this.#http.call({ method: 'DELETE', url: this.#url(id) }, options);
  }

  #url(id: string, suffix?: string): string {
    const endpoint = this.#endpoint;
    return endpoint.url(endpoint.below(endpoint.resource(collection, id)), suffix);
  }
}
