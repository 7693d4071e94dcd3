// Calls `models.get` and `models.list` (https://ai.google.dev/api/models).
import type { Endpoint } from '../endpoint.js';
import type { CallOptions, Http } from '../http.js';
import { listPages, type ListOptions } from './pages.js';
import { GeminiError } from '../../internal/errors.js';
import type { Json } from '../../types/json.js';
import type { ModelInfo } from '../../types/gemini/resources.js';

const collection = 'models';

function isModel(value: Json): value is Json & ModelInfo {
  return typeof Object(value).name === 'string';
}

function checked(value: Json): ModelInfo {
  if (isModel(value)) return value;
  throw new GeminiError('answer.invalid', 'The response of the API is not a model');
}

/**
 * Implements `Models`.
 *
 * @internal
 */
export class ModelCalls {
  readonly #http: Http;
  readonly #endpoint: Endpoint;

  constructor(http: Http, endpoint: Endpoint) {
    this.#http = http;
    this.#endpoint = endpoint;
  }

  async get(name: string, options?: CallOptions): Promise<ModelInfo> {
    const endpoint = this.#endpoint;
    const url = endpoint.url(endpoint.resource(collection, name));
    return checked(await this.#http.call({ method: 'GET', url }, options));
  }

  async *list(options?: ListOptions): AsyncGenerator<ModelInfo, void, void> {
    const isVertex = this.#endpoint.backend === 'vertex';
    const path = isVertex ? `publishers/google/${collection}` : collection;
    const field = isVertex ? 'publisherModels' : collection;
    const url = this.#endpoint.url(path);
    for await (const model of listPages(this.#http, url, { field }, options)) yield checked(model);
  }
}
