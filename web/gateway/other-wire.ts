// Serves a client of one API of Google through the other: the core converts its request, and the answer is written anew.
import { joinBytes, parseDocument } from '../sdk/internal/bytes.js';
import { GeminiError } from '../sdk/internal/errors.js';
import { dispose } from '../sdk/internal/lifetime.js';
import type { GatewayCore } from '../check/gateway-core.js';
import type { Json } from '../sdk/types/json.js';
import type { Diagnostic } from '../sdk/types/diagnostic.js';
import type { Wire } from '../sdk/types/wire.js';
import { checkShape, defaultValues } from './body.js';
import { checkModel, type Call, type Pipeline } from './call.js';
import { completion, streamed } from './converted-answer.js';
import { errorIn, errorObject, GatewayError, readBounded } from './gateway-error.js';
import { generate, type GenerateRequest } from './generate.js';
import { interact, type InteractionRequest } from './interactions.js';
import type { GatewayPolicy } from './options.js';
import { checkNamedModels } from './pass-on.js';
import { answersArray, modelForm } from './route.js';
import { convertedAnswer, type AnswerForm } from './written-answer.js';

const encoder = new TextEncoder();

/**
 * Returns the answer to a request in the form of generateContent, from the API that `upstreamWire` names.
 *
 * @throws GatewayError, HttpError or StrataError for a request that is refused, that cannot be converted, or that gets
 *   no response; the reason of an abort
 */
export async function generateAnswer(
  pipeline: Pipeline,
  call: Call,
  request: GenerateRequest,
): Promise<Response> {
  const { route, body: given, policy } = request;
  const { place, model, stream } = route;
  // Vertex AI and Firebase do not have the other API.
  const hasInteractions = place.backend === 'gemini' && place.firebaseProject === '';
  if (pipeline.options.upstreamWire !== 'interactions' || !hasInteractions)
    return generate(pipeline, call, request);
  checkModel(pipeline, model);
  checkValues(pipeline, given);
  const { body, losses } = await converted(pipeline, given, { to: 'interactions', model, policy });
  const query = new URLSearchParams();
  const response = await interact(pipeline, call, {
    route: { kind: 'interactions', action: 'create', id: '', place, query },
    ...{ query, body: stream ? streaming(body) : body, policy },
  });
  call.findings?.add(losses);
  const as = stream ? (answersArray(route) ? 'array' : 'events') : 'json';
  return writtenAnswer(pipeline, response, 'generateContent', { model, as });
}

/**
 * Returns the answer to a request in the form of the Interactions API, from the API that `upstreamWire` names.
 *
 * @throws GatewayError, HttpError or StrataError as `generateAnswer`
 */
export async function interactionAnswer(
  pipeline: Pipeline,
  call: Call,
  request: InteractionRequest,
): Promise<Response> {
  if (pipeline.options.upstreamWire !== 'generateContent') return interact(pipeline, call, request);
  const { route, body: given, policy } = request;
  checkValues(pipeline, given);
  checkNamedModels(pipeline, given);
  const { model, stream } = statelessRequest(given);
  call.model = model;
  const to = 'generateContent';
  const { body, losses } = await converted(pipeline, given, { to, model, policy });
  const response = await generate(pipeline, call, {
    route: { kind: 'generate', place: route.place, model, stream, sse: stream },
    query: new URLSearchParams(stream ? { alt: 'sse' } : {}),
    ...{ body, policy },
  });
  call.findings?.add(losses);
  const as = stream ? 'events' : 'json';
  return writtenAnswer(pipeline, response, 'interactions', { model, as });
}

/** @throws GatewayError for a body with too many values, or too deep ones, before anything reads it */
const checkValues = ({ options }: Pipeline, body: Uint8Array): void =>
  checkShape(body, { values: options.maxBodyValues ?? defaultValues });

const advice =
  'This gateway serves the Interactions API through generateContent, where Google keeps nothing.';

/**
 * Refuses requests about stored interactions, of which there are none.
 *
 * @throws GatewayError with the status 404
 */
export function checkStored({ options: { upstreamWire } }: Pipeline): void {
  if (upstreamWire !== 'generateContent') return;
  throw new GatewayError(404, 'wire.stateless', `${advice} There is no stored interaction.`);
}

/** What generateContent has no place for, because it keeps nothing. */
const stateful = {
  previous_interaction_id: 'Send the whole history as steps in input instead.',
  background: 'Leave it out, and wait for the answer or stream it.',
  store: 'Send "store": false, and the whole history with each request.',
  agent: 'Name a model.',
};

/**
 * Returns what a request that needs no state asks for.
 *
 * @throws GatewayError with the status 400, or 404 for the name of a model
 */
function statelessRequest(body: Uint8Array): { model: string; stream: boolean } {
  const value = parseDocument(body);
  if (value === undefined) throw new GatewayError(400, 'json.invalid', 'The body is not JSON.');
  const asked = Object(value) as Record<string, unknown>;
  for (const [name, remedy] of Object.entries(stateful)) {
    const value = asked[name];
    if (value === undefined || value === null || value === false) continue;
    const message = `${advice} "${name}" cannot be served. ${remedy}`;
    throw new GatewayError(400, 'wire.stateless', message);
  }
  const { model, stream } = asked;
  const name = typeof model === 'string' ? model.replace(/^models\//, '') : '';
  if (!modelForm.test(name))
    throw new GatewayError(404, 'model.unknown', 'The body names no model, or none that exists.');
  return { model: name, stream: stream === true };
}

/**
 * Returns the body for the other API, and what it lost.
 *
 * @throws GatewayError with the status 400 for a body that cannot be read, or that would mean something else
 */
async function converted(
  { core: holder }: Pipeline,
  body: Uint8Array,
  { to, model, policy }: { to: Wire; model: string; policy: GatewayPolicy },
): Promise<{ body: Uint8Array; losses: Diagnostic[] }> {
  const now = new Date().toISOString();
  const report = await holder.use((core) => core.convert(body, { to, model, now }));
  // Signatures that the memory knows are still to come; the rules of the other API report the others.
  const losses = report.diagnostics.filter(({ code }) => code !== 'convert.unsigned');
  const refused = losses.find(({ severity }) => severity === 'error');
  const isReadable = report.body.length > 0;
  if (refused && !(isReadable && policy === 'observe')) {
    const { code, path, message } = refused;
    throw new GatewayError(400, code, `${path || '/'}: ${message}`, { diagnostics: losses });
  }
  return { body: report.body, losses };
}

/** Returns a body that asks for a stream. */
function streaming(body: Uint8Array): Uint8Array {
  const at = body.indexOf(0x7b) + 1;
  return joinBytes([
    body.subarray(0, at),
    encoder.encode(at > 0 ? '"stream":true,' : ''),
    body.subarray(at),
  ]);
}

/** Returns the upstream's response as the client's API answers. */
async function writtenAnswer(
  { core: holder }: Pipeline,
  response: Response,
  to: Wire,
  form: AnswerForm,
): Promise<Response> {
  let answered = response;
  if (!response.ok) {
    const bytes = await readBounded(response);
    const isBlock =
      to === 'generateContent' && (await holder.use((core) => isBlocked(core, bytes)));
    if (!isBlock) return refusal(response, bytes, to);
    answered = new Response(new Uint8Array(bytes));
  }
  const open = holder.use((core) => convertedAnswer(core, to, form));
  const answer = await open.catch(async (error: unknown) => {
    await answered.body?.cancel(error).catch(() => {});
    throw error;
  });
  if (form.as === 'json') return completion(answered, answer);
  return streamed(answered, answer, form.as === 'array' ? 'application/json' : 'text/event-stream');
}

/** Returns whether a refusal says that the prompt was blocked, which generateContent says in an answer. */
function isBlocked(core: GatewayCore, refused: Uint8Array): boolean {
  const assembler = core.response({ wire: 'interactions' });
  try {
    assembler.push(refused);
    assembler.finish();
    return false;
  } catch (error) {
    return error instanceof GeminiError && error.blockReason !== undefined;
  } finally {
    assembler[dispose]();
  }
}

/** Returns a refusal of the other API, whose bytes these are, as the client's API words it. */
function refusal(response: Response, bytes: Uint8Array, to: Wire): Response {
  const { status } = response;
  const headers = new Headers(response.headers);
  const { message, details } = errorIn(bytes) ?? {};
  if (typeof message !== 'string') return new Response(new Uint8Array(bytes), { status, headers });
  const known = Array.isArray(details) ? (details as Json[]) : [];
  const form = to === 'interactions' ? 'interactions' : 'google';
  const error = errorObject(form, status, message, known);
  headers.set('content-type', 'application/json; charset=UTF-8');
  return new Response(`${JSON.stringify({ error }, null, 2)}\n`, { status, headers });
}
