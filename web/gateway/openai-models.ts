// Serves the list of models in OpenAI's form.
import type { Call, Pipeline } from './call.js';
import { ownPlace, refusalOf } from './chat.js';
import { GatewayError } from './gateway-error.js';
import { sendUpstream } from './send-upstream.js';
import { decodeDocument } from '../sdk/internal/bytes.js';
import { readBounded } from './upstream-refusal.js';

const modelObject = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'google' });

/**
 * Answers with the models that the upstream lists, or that the gateway offers.
 *
 * @throws GatewayError; the reason of an abort
 */
export async function openAiModels(pipeline: Pipeline, call: Call): Promise<Response> {
  const ids = pipeline.options.models ?? (await upstreamModels(pipeline, call));
  return Response.json({ object: 'list', data: ids.map(modelObject) });
}

/**
 * Answers with one model.
 *
 * @throws GatewayError with the status 404 if there is none; the reason of an abort
 */
export async function openAiModel(
  pipeline: Pipeline,
  call: Call,
  model: string,
): Promise<Response> {
  const query = new URLSearchParams();
  const route = { kind: 'model', place: ownPlace, model } as const;
  const target = pipeline.upstream.target(route, query);
  const response = await sendUpstream(pipeline, call, { route, target, method: 'GET' });
  if (!response.ok) throw await refusalOf(response);
  await response.body?.cancel();
  return Response.json(modelObject(model));
}

async function upstreamModels(pipeline: Pipeline, call: Call): Promise<string[]> {
  const query = new URLSearchParams({ pageSize: '1000' });
  const route = { kind: 'models', place: ownPlace, query } as const;
  const target = pipeline.upstream.target(route, query);
  const response = await sendUpstream(pipeline, call, { route, target, method: 'GET' });
  if (!response.ok) throw await refusalOf(response);
  return namesIn(decodeDocument(await readBounded(response)));
}

interface ModelList {
  models?: { name?: unknown }[];
  publisherModels?: { name?: unknown }[];
}

function namesIn(text: string): string[] {
  try {
    const { models, publisherModels } = Object(JSON.parse(text)) as ModelList;
    const listed = models ?? publisherModels ?? [];
    return listed.flatMap(({ name }) =>
      typeof name === 'string' ? [name.slice(name.lastIndexOf('/') + 1)] : [],
    );
  } catch {
    throw new GatewayError(502, 'upstream.invalid', 'The answer of the upstream cannot be read.');
  }
}
