// Answers requests for embeddings: vectors made of the words of a text, so that similar texts have similar vectors.
import type { Context } from './stores.js';
import { invalidArgument } from './errors.js';
import {
  SeededRandom,
  bareModel,
  field,
  numberField,
  objectField,
  objectsField,
  textField,
} from './wire.js';
import { readContents } from './request-fields.js';
import { checkModel } from './requests.js';
import type { Route } from '../server/match-route.js';
import { Meter } from './tokens.js';
import type { JsonObject } from './types.js';

const maxDimensions = 3072;
const maxRequests = 100;

const methods = { one: 'embedContent', list: 'batchEmbedContents', predict: 'predict' } as const;

/**
 * Serves embedContent, batchEmbedContents and, on Vertex AI, predict.
 *
 * @throws Failure
 */
export function embeddings(
  context: Context,
  { model, place, form }: Route & { kind: 'embed' },
  body: JsonObject,
): JsonObject {
  checkModel(context, model, place, methods[form]);
  if (form === 'list') return embedList(context, model, body);
  if (form === 'predict') return predict(context, model, body);
  const text = contentText(body, 'EmbedContentRequest');
  const values = vectorOf(text, context.seed, dimensionsOf(body));
  const usage = { promptTokenCount: tokensOf(context, model, text) };
  // The older model's answer has no usage.
  return { embedding: { values }, ...(!/-001$/.test(model) && { usageMetadata: usage }) };
}

function embedList({ seed }: Context, model: string, body: JsonObject): JsonObject {
  const requests = objectsField(body, 'requests');
  if (requests.length > maxRequests) {
    throw invalidArgument(
      `* BatchEmbedContentsRequest.requests: at most ${maxRequests} requests can be in one batch`,
    );
  }
  const embedded = requests.map((request, i) => {
    const path = `BatchEmbedContentsRequest.requests[${i}]`;
    const named = textField(request, 'model');
    if (!named) throw invalidArgument(`* ${path}.model: model is not specified`);
    if (bareModel(named) === named || bareModel(named) !== model)
      throw invalidArgument(`* ${path}.model: unexpected model name format`);
    return { values: vectorOf(contentText(request, path), seed, dimensionsOf(request)) };
  });
  return embedded.length === 0 ? {} : { embeddings: embedded };
}

/** Vertex AI's older method: one prediction for each instance. */
function predict(context: Context, model: string, body: JsonObject): JsonObject {
  const dimensions = dimensionsOf(objectField(body, 'parameters'));
  const predictions = objectsField(body, 'instances').map((instance) => {
    const text = textField(instance, 'content');
    if (!text) throw invalidArgument('The text content is empty.');
    const statistics = { truncated: false, token_count: tokensOf(context, model, text) };
    return { embeddings: { statistics, values: vectorOf(text, context.seed, dimensions) } };
  });
  return { predictions };
}

const tokensOf = ({ checker }: Context, model: string, text: string): number =>
  new Meter(checker, model).text(text);

function contentText(request: JsonObject, path: string): string {
  const content = field(request, 'content');
  const [read] = content === undefined ? [] : readContents({ contents: content });
  const parts = read?.parts ?? [];
  if (parts.length === 0) throw invalidArgument(`* ${path}.content: contents is not specified`);
  // Media count by their bytes, not by what they show.
  return parts.map((part) => textField(part, 'text') ?? JSON.stringify(part)).join('\n');
}

function dimensionsOf(request: JsonObject | undefined): number {
  const config = objectField(request, 'embedContentConfig') ?? request;
  const dimensions = numberField(config, 'outputDimensionality') ?? maxDimensions;
  if (Number.isInteger(dimensions) && dimensions >= 1 && dimensions <= maxDimensions)
    return dimensions;
  throw invalidArgument(`output_dimensionality must be between 1 and ${maxDimensions}.`);
}

/** Returns the sum of one pseudo-random vector for each word, of length 1. */
function vectorOf(text: string, seed: string, dimensions: number): number[] {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [text];
  const sum = new Array<number>(dimensions).fill(0);
  for (const word of words) {
    const random = new SeededRandom(`embedding ${seed} ${word}`);
    for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] ?? 0) + random.next() / 2 ** 31 - 1;
  }
  const length = Math.hypot(...sum) || 1;
  return sum.map((value) => Number((value / length).toPrecision(8)));
}
