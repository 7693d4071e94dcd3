// Serves OpenAI's chat completions: the core converts the request and the answer, and the rest is as for Gemini.
import { checkShape, defaultValues, readTypedBody } from './body.js';
import { sendUpstream, type Call, type Pipeline } from './call.js';
import { retryAfterMs, standardKeyHint } from '../sdk/client/api-error.js';
import type { OpenAiAnswer, OpenAiRequest } from '../check/openai-types.js';
import type { Backend } from '../sdk/types/model.js';
import type { Diagnostic } from '../sdk/types/diagnostic.js';
import { diagnosticDetails, GatewayError, errorIn, readBounded } from './gateway-error.js';
import { completion, streamed } from './converted-answer.js';
import { generateAnswer } from './other-wire.js';
import type { GatewayPolicy } from './options.js';
import { modelForm, type GoogleRoute } from './route.js';
import { decodeDocument } from '../sdk/internal/bytes.js';

/** The place of the requests that the gateway makes itself. */
const ownPlace = {
  backend: 'gemini',
  version: 'v1beta',
  parent: '',
  firebaseProject: '',
} as const;

/**
 * Answers a chat completion.
 *
 * @throws GatewayError, HttpError or StrataError for a request that is refused, that cannot be converted, or that gets
 *   no response; the reason of an abort
 */
export async function chat(
  pipeline: Pipeline,
  call: Call,
  policy: GatewayPolicy,
): Promise<Response> {
  const given = await readTypedBody(call.request, pipeline.options);
  checkShape(given, { values: pipeline.options.maxBodyValues ?? defaultValues });
  const backend: Backend = pipeline.options.vertexai ? 'vertex' : 'gemini';
  const now = new Date().toISOString();
  const converted = await pipeline.core.use((core) => core.openAiRequest(given, { backend, now }));
  call.model = converted.model;
  const route = routeOf(converted);
  const query = new URLSearchParams(converted.stream ? { alt: 'sse' } : {});
  const response = await generateAnswer(pipeline, call, {
    route,
    query,
    body: converted.body,
    policy,
  });
  const reasons = call.findings?.reasonsOf(response.status);
  call.findings?.add(converted.diagnostics);
  if (!response.ok) throw await refusalOf(response, reasons);
  const answer = await answerFor(pipeline, converted).catch(async (error: unknown) => {
    await response.body?.cancel(error).catch(() => {});
    throw error;
  });
  return converted.stream ? streamed(response, answer) : completion(response, answer);
}

function routeOf({ model, stream }: OpenAiRequest): GoogleRoute & { kind: 'generate' } {
  if (!modelForm.test(model))
    throw new GatewayError(404, 'model.unknown', 'There is no model of this name.');
  return { kind: 'generate', place: ownPlace, model, stream, sse: stream };
}

function answerFor(
  { core: holder }: Pipeline,
  { model, stream, includeUsage, names }: OpenAiRequest,
): Promise<OpenAiAnswer> {
  const id = `chatcmpl-${crypto.randomUUID()}`;
  const created = Math.floor(Date.now() / 1000);
  const options = { id, created, model, stream, includeUsage, names };
  return holder.use((core) => core.openAiAnswer(options));
}

/**
 * Returns the upstream's refusal as an error whose status and text are the upstream's, with what is known about a missing
 * model or a refused key. `reasons` were found in the body that it refused.
 */
async function refusalOf(
  response: Response,
  reasons: readonly Diagnostic[] = [],
): Promise<GatewayError> {
  const { status, message, details: given } = errorIn(await readBounded(response)) ?? {};
  const code = typeof status === 'string' ? status : `http_${response.status}`;
  const text = typeof message === 'string' ? message : 'The upstream refused the request.';
  // Google names the delay in the body, and clients of OpenAI read it in the header.
  const delay = retryAfterMs(Array.isArray(given) ? given : [], text, response.headers);
  const retry = delay === undefined ? {} : { retryAfterMs: delay };
  // Clients of OpenAI show the text only.
  const isKeyHinted = JSON.stringify(given ?? []).includes(JSON.stringify(standardKeyHint));
  const hints = isKeyHinted ? [standardKeyHint] : [];
  if (response.status === 404) hints.push(...reasons.map((reason) => reason.message));
  return new GatewayError(response.status, code, [text, ...hints].join(' '), {
    ...retry,
    details: diagnosticDetails(reasons),
  });
}

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
