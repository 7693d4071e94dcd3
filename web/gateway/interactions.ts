// Serves requests for an answer of the Interactions API: restores signatures, repairs, refuses or only observes.
import { parseDocument } from '../sdk/internal/bytes.js';
import { checkShape, defaultValues } from './body.js';
import { checkModel, sendUpstream, type Call, type Pipeline } from './call.js';
import type { CallMemory } from './call-memory.js';
import {
  checkDiagnostics,
  countAnswer,
  refusalOf,
  repairValues,
  withinBounds,
} from './generate.js';
import { answerHeaders, Findings } from './headers.js';
import {
  convertedRequest,
  restoreSteps,
  release,
  endsWithSignature,
  type ConvertedRequest,
} from './interaction-steps.js';
import type { GatewayPolicy } from './options.js';
import { checkNamedModels } from './pass-on.js';
import { modelForm, type GoogleRoute } from './route.js';
import { answerBroke } from './tracked-body.js';
import type { GatewayCore } from '../check/gateway-core.js';
import type { LintOptions } from '../check/lint.js';
import { watchAnswer } from './watched-answer.js';

/** One request for an answer. */
export interface InteractionRequest {
  route: GoogleRoute & { kind: 'interactions' };
  query: URLSearchParams;
  body: Uint8Array;
  policy: GatewayPolicy;
}

/** A body that is ready to be sent. */
interface Ready {
  core: GatewayCore;
  memory: CallMemory | undefined;
  /** What the client sent, as the memory knows it. Release it. */
  converted: ConvertedRequest | undefined;
  body: Uint8Array;
}

// An agent, and a body that names no model, are judged by the rules of the newest one.
const newest = 'gemini-flash-latest';

/**
 * Returns the upstream's answer, whose body is passed on as it arrives. A refusal has the gateway's diagnosis.
 *
 * @throws GatewayError or HttpError for a request that is refused or gets no response; the reason of an abort
 */
export async function interact(
  pipeline: Pipeline,
  call: Call,
  request: InteractionRequest,
): Promise<Response> {
  const { route, query } = request;
  checkShape(request.body, { values: pipeline.options.maxBodyValues ?? defaultValues });
  const asked = Object(parseDocument(request.body)) as Record<string, unknown>;
  const named = namedIn(asked);
  if (named !== undefined) call.model = named;
  checkModel(pipeline, named);
  checkNamedModels(pipeline, request.body);
  const model = named !== undefined && modelForm.test(named) ? named : newest;
  const target = pipeline.upstream.target(route, query);
  const { core, memory, converted, body } = await ready(pipeline, call, request, {
    model,
    input: asked['input'],
  });
  const sending = sendUpstream(pipeline, call, { route, target, method: 'POST', body });
  // The next request reports a trap.
  void Promise.resolve(converted && memory?.learn(converted.given))
    .then(() => release(converted))
    .catch(() => {});
  const response = await sending;
  const { status } = response;
  const headers = answerHeaders(response, route);
  if (!response.ok) return new Response(await refusalOf(response, call), { status, headers });
  if (call.findings?.isChanged) pipeline.metrics.avoided();
  if (!response.body) return new Response(null, { status, headers });
  const answer = watchAnswer(response, {
    response: () => core.response({ wire: 'interactions' }),
    signsAhead: true,
    remember: async (content) => {
      if (!endsWithSignature(content)) await memory?.remember(content);
    },
    secrets: pipeline.upstream.secrets,
    ended: (end) => {
      if (memory?.hasFailed) call.failure = 'memory.unavailable';
      if (end.reason !== undefined) answerBroke(pipeline, call, end.reason);
      countAnswer(pipeline, call, { model, backend: target.backend }, end);
    },
  });
  return new Response(answer, { status, headers });
}

/** Returns the model or the agent that a body names. */
function namedIn({ model, agent }: Record<string, unknown>): string | undefined {
  const name = model ?? agent;
  return typeof name === 'string' ? name.replace(/^models\//, '') : undefined;
}

async function ready(
  { core: holder, memories, options }: Pipeline,
  call: Call,
  { route: { place }, body: given, policy }: InteractionRequest,
  { model, input }: { model: string; input: unknown },
): Promise<Ready> {
  return holder.use(async (core) => {
    const findings = new Findings();
    call.findings = findings;
    const { placeholder = false, maxBodyValues: maxValues = defaultValues } = options;
    const memory = memories?.of(core, call.caller, place.backend, model);
    const converted = memory && convertedRequest(core, model, given, Infinity);
    try {
      const isRepaired = policy === 'repair';
      const known =
        isRepaired && converted
          ? await restoreSteps(core, memory, converted, { body: given, model, input })
          : { body: given, restored: 0 };
      findings.restored = known.restored;
      const rules: LintOptions = {
        ...{ model, backend: place.backend, now: new Date().toISOString() },
        wire: 'interactions',
        apiVersion: place.version === 'v1' ? 'v1' : 'v1beta',
      };
      const repair = { ...rules, dummySignatures: placeholder, maxValues: repairValues };
      const report = isRepaired
        ? withinBounds(maxValues, () => core.repair(known.body, repair))
        : { ...core.lint(known.body, rules), body: known.body };
      findings.add(report.diagnostics);
      checkDiagnostics(report, policy);
      return { core, memory, converted, body: report.body };
    } catch (error) {
      release(converted);
      throw error;
    }
  });
}
