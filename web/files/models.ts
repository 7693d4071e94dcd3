// Calls `models.get` and `models.list` (https://ai.google.dev/api/models), and says what the catalogue knows about a
// model that the API does not have.
import type { ListOptions } from '../sdk/client/resources.js';
import type { Endpoint } from '../sdk/client/endpoint.js';
import type { CallOptions, Http } from '../sdk/client/http.js';
import { listPages } from './requests.js';
import { GeminiError } from '../sdk/internal/errors.js';
import type { Json } from '../sdk/types/json.js';
import type { ModelInfo } from '../sdk/types/gemini/resources.js';
import { modelNames, unservedModels } from '#generated/model-names';

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

const digitsOf = (name: string) => name.replace(/\D/g, '');

// Returns whether at most one edit, or two swapped characters, turns `a` into `b`.
function isOneEdit(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const [c, d] = [a.slice(start), b.slice(start)];
  const isSwapped = c[0] === d[1] && c[1] === d[0] && c.slice(2) === d.slice(2);
  return (
    isSwapped ||
    c.slice(1) === d ||
    c === d.slice(1) ||
    (c.slice(1) === d.slice(1) && c.length === d.length)
  );
}

// src/base/near_name.cpp decides the same.
function isNear(given: string, name: string): boolean {
  const [a, b] = [given.split('-'), name.split('-')];
  return (
    isOneEdit(given, name) ||
    (a.length === b.length && a.every((segment, i) => isOneEdit(segment, b[i] ?? '')))
  );
}

// The name that a wrong one most likely means: one with a typing error, the preview of it, or another version.
function nearestName(model: string): string | undefined {
  const given = model.toLowerCase();
  const near = modelNames.filter((name) => isNear(given, name));
  return (
    near.find((name) => digitsOf(name) === digitsOf(given)) ??
    modelNames.find((name) => name.startsWith(`${given}-`)) ??
    near[0]
  );
}

const apis: Readonly<Record<string, string>> = {
  live: 'the Live API',
  interactions: 'the Interactions API',
  embedContent: 'embedContent',
};

/**
 * Returns a sentence about a model that the API does not have, or has for another method; undefined if the catalogue
 * knows nothing about it.
 */
export function modelHint(model: string): string | undefined {
  const [, end] = unservedModels
    .filter(([id]) => model.startsWith(id))
    .reduce((best, row) => (row[0].length > best[0].length ? row : best), ['', '']);
  if (apis[end]) return `${model} is served by ${apis[end]}.`;
  if (end) return `${model} was shut down on ${end}.`;
  if (modelNames.includes(model.replace(/-\d{3}$/, ''))) return undefined;
  const name = nearestName(model);
  return name && `Did you mean ${name}?`;
}
