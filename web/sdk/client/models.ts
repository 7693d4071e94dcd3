// Offers `models.get` and `models.list` (https://ai.google.dev/api/models), whose code is loaded when it is called first.
import type { Endpoint } from './endpoint.js';
import type { CallOptions, Http } from './http.js';
import type { ModelCalls } from './on-demand/model-calls.js';
import type { ListOptions } from './on-demand/pages.js';
import type { ModelInfo } from '../types/gemini/resources.js';

/**
 * The models that an API key may use, or on Vertex AI those that Google publishes, which have no token limits there.
 * Every method throws GeminiError, and StrataError `name.invalid` for an invalid name.
 */
export class Models {
  readonly #load: () => Promise<ModelCalls>;

  /** @internal */
  constructor(http: Http, endpoint: Endpoint) {
    this.#load = async () => {
      const { ModelCalls } = await import('./on-demand/index.js');
      return new ModelCalls(http, endpoint);
    };
  }

  /**
   * Returns a model by its name, with or without `models/`.
   *
   * @throws GeminiError if the request fails, StrataError `name.invalid` for an invalid name
   *
   * @example
   * const limits = await client.models.get('gemini-3.8-flash');
   * const chat = new Conversation(strata, client, { model: limits.name, limits });
   */
  async get(name: string, options?: CallOptions): Promise<ModelInfo> {
    return (await this.#load()).get(name, options);
  }

  /**
   * Iterates over all models. The next page is requested when you have read the previous one.
   *
   * @throws GeminiError if a request fails
   */
  async *list(options?: ListOptions): AsyncGenerator<ModelInfo, void, void> {
    yield* (await this.#load()).list(options);
  }
}
