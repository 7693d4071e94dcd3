// Prepares the body of a request: restores signatures, repairs, refuses or only observes.
import { StrataError } from '../sdk/internal/errors.js';
import { countDiagnostics } from '../sdk/internal/first-diagnostics.js';
import type { GatewayRequest, GatewayCore } from '../check/gateway-core.js';
import type { Backend } from '../sdk/types/model.js';
import type { Diagnostic, Report } from '../sdk/types/diagnostic.js';
import { tooManyValues, defaultValues } from './body.js';
import type { CallMemory } from './call-memory.js';
import { answerHeaders, Findings } from './headers.js';
import { GatewayError, readBounded, withDiagnosis } from './gateway-error.js';
import type { GatewayPolicy } from './options.js';
import { dispose } from '../sdk/internal/lifetime.js';
import { answerBroke } from './tracked-body.js';
import { checkModel, sendUpstream, type Call, type Pipeline } from './call.js';
import { checkNamedModels } from './pass-on.js';
import { countedUsage } from './metrics.js';
import type { GoogleRoute } from './route.js';
import type { Target } from './target.js';
import { watchAnswer, type AnswerEnd } from './watched-answer.js';

// As many values as a repair may read, so that it does not keep other callers waiting. It is enough for ten rounds of
// fixes in a history of 100,000 values.
export const repairValues = 2_000_000;

/** What a body is prepared with. */
interface Preparation {
  model: string;
  backend: Backend;
  policy: GatewayPolicy;
  /** Whether placeholders may be added. */
  placeholder: boolean;
  /** The most values of the body. */
  maxValues: number;
  /** The signatures of this caller; undefined without a memory. */
  memory: CallMemory | undefined;
  findings: Findings;
}

/**
 * Returns the body to send if it differs from the one that came, because something was repaired or restored.
 *
 * @throws GatewayError with the status 400 if the policy is `reject` and the body has an error, or if it nests too deep;
 *   with the status 413 if a repair would take too long; HttpError with the status 413 for too many values
 */
async function preparedBody(
  request: GatewayRequest,
  { model, backend, policy, placeholder, maxValues, memory, findings }: Preparation,
): Promise<Uint8Array | undefined> {
  const repair = policy === 'repair';
  const known = repair ? await memory?.restore(request) : undefined;
  findings.restored = known?.restored ?? 0;
  findings.removed = known?.removed ?? 0;
  const options = {
    ...{ model, backend, now: new Date().toISOString(), edits: known?.edits ?? [] },
    ...{ repair, dummySignatures: placeholder, maxValues: repairValues },
  };
  const prepared = withinBounds(maxValues, () => request.prepare(options));
  findings.add(prepared.diagnostics);
  checkDiagnostics(prepared, policy);
  return prepared.body;
}

/**
 * Returns the result of a validation or a repair.
 *
 * @throws GatewayError or HttpError with the status 413 where the body has too many values for it
 */
export function withinBounds<Result>(maxValues: number, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const code = error instanceof StrataError ? error.code : undefined;
    if (code === 'size.too_many_values') throw tooManyValues(maxValues);
    if (code !== 'repair.too_much') throw error;
    const message =
      'The request has too many faults to repair them here. Send fewer Contents, or send x-strata-policy: observe.';
    throw new GatewayError(413, code, message);
  }
}

/** @throws GatewayError with the status 400 for a body that nests too deep, or that has an error and the policy `reject` */
export function checkDiagnostics({ ok, diagnostics }: Report, policy: GatewayPolicy): void {
  const deep = diagnostics.find(({ code }) => code === 'json.too_deep');
  if (deep) throw new GatewayError(400, deep.code, deep.message, { diagnostics: [deep] });
  if (!ok && policy === 'reject') throw rejection(diagnostics);
}

function rejection(diagnostics: readonly Diagnostic[]): GatewayError {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const count = countDiagnostics(errors);
  const message = `The request has ${count === 1 ? 'an error' : `${count} errors`}, and this gateway rejects such requests. ${first?.path || '/'}: ${first?.message}`;
  return new GatewayError(400, first?.code ?? 'json.invalid', message, { diagnostics });
}

/** One request for an answer. */
export interface GenerateRequest {
  route: GoogleRoute & { kind: 'generate' };
  query: URLSearchParams;
  /** The body as the client means it, in Google's form. */
  body: Uint8Array;
  policy: GatewayPolicy;
}

/** A body that is ready to be sent. */
interface Ready {
  core: GatewayCore;
  memory: CallMemory | undefined;
  /** What the client sent. Dispose it. */
  given: GatewayRequest;
  body: Uint8Array;
}

/**
 * Returns the upstream's answer, whose body is passed on as it arrives. A refusal has the gateway's diagnosis.
 *
 * @throws GatewayError for a request that is refused or gets no response; the reason of an abort
 */
export async function generate(
  pipeline: Pipeline,
  call: Call,
  request: GenerateRequest,
): Promise<Response> {
  const { route, query } = request;
  checkModel(pipeline, route.model);
  checkNamedModels(pipeline, request.body);
  const target = pipeline.upstream.target(route, query);
  const { core, memory, given, body } = await ready(pipeline, call, request, target);
  const sending = sendUpstream(pipeline, call, { route, target, method: 'POST', body });
  // The next request reports a trap.
  void Promise.resolve(memory?.learn(given))
    .then(() => given[dispose]())
    .catch(() => {});
  const response = await sending;
  const { status } = response;
  const headers = answerHeaders(response, route);
  if (!response.ok) return new Response(await refusalOf(response, call), { status, headers });
  if (call.findings?.isChanged) pipeline.metrics.avoided();
  // A response without a body, such as a 204, cannot be given one.
  if (!response.body) return new Response(null, { status, headers });
  const answer = watchAnswer(response, {
    response: () => core.response(),
    remember: async (content) => memory?.remember(content),
    secrets: pipeline.upstream.secrets,
    ended: (end) => {
      if (memory?.hasFailed) call.failure = 'memory.unavailable';
      if (end.reason !== undefined) answerBroke(pipeline, call, end.reason);
      countAnswer(pipeline, call, { model: route.model, backend: target.backend }, end);
    },
  });
  return new Response(answer, { status, headers });
}

async function ready(
  { core: holder, memories, options }: Pipeline,
  call: Call,
  { route: { model }, body, policy }: GenerateRequest,
  { backend }: Target,
): Promise<Ready> {
  return holder.use(async (core) => {
    const findings = new Findings();
    call.findings = findings;
    const memory = memories?.of(core, call.caller, backend, model);
    const { placeholder = false, maxBodyValues: maxValues = defaultValues } = options;
    const given = core.request(body, maxValues);
    try {
      const preparation = { model, backend, policy, placeholder, maxValues, memory, findings };
      return { core, memory, given, body: (await preparedBody(given, preparation)) ?? body };
    } catch (error) {
      given[dispose]();
      throw error;
    }
  });
}

/**
 * Returns the upstream's refusal with the gateway's diagnosis. The body that was refused is the one that was sent, so
 * only findings that are still in it can be the reason.
 */
export async function refusalOf(
  response: Response,
  { findings }: Call,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readBounded(response);
  return new Uint8Array(withDiagnosis(bytes, findings?.reasonsOf(response.status) ?? []));
}

/** Counts the tokens of an answer. */
export function countAnswer(
  { access, metrics }: Pipeline,
  call: Call,
  of: { model: string; backend: Backend },
  { usage }: AnswerEnd,
): void {
  const counted = countedUsage(usage, of);
  if (!counted) return;
  call.tokens = counted;
  metrics.tokens(counted);
  const { inputTokens, outputTokens, thoughtTokens } = counted;
  access.limits.tokens(call.caller.id, inputTokens + outputTokens + thoughtTokens);
}
