// Serves generateContent and streamGenerateContent: prepares the body, sends it, and passes the answer on.
import { dispose } from '../sdk/internal/lifetime.js';
import type { GatewayCore, GatewayRequest } from '../sdk/core/gateway-core.js';
import { answerHeaders } from './answer-headers.js';
import { defaultValues } from './body.js';
import { answerBroke } from './broken-answer.js';
import type { CallMemory } from './call-memory.js';
import type { Call, Pipeline } from './call.js';
import { Findings } from './findings.js';
import { checkNamedModels } from './named-models.js';
import { countedUsage } from './metrics.js';
import type { GatewayPolicy } from './options.js';
import { preparedBody } from './prepared-body.js';
import type { GoogleRoute } from './route.js';
import { checkModel, sendUpstream } from './send-upstream.js';
import type { Backend } from '../sdk/types/model.js';
import type { Target } from './target.js';
import { readBounded, withDiagnosis } from './upstream-refusal.js';
import { watchAnswer, type AnswerEnd } from './watched-answer.js';

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
  if (!response.ok) return new Response(await refusal(response, call), { status, headers });
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
      countTokens(pipeline, call, { model: route.model, backend: target.backend }, end);
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

// The body that was refused is the one that was sent, so only findings that are still in it can be the reason.
async function refusal(response: Response, { findings }: Call): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readBounded(response);
  return new Uint8Array(withDiagnosis(bytes, findings?.reasonsOf(response.status) ?? []));
}

function countTokens(
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
