// Handles one request: who calls, what for, and what happened.
import { StrataError } from '../sdk/internal/errors.js';
import { CallerKeys, sentKey, type Caller } from './callers.js';
import { chat, openAiModel, openAiModels } from './chat.js';
import type { Call, Pipeline } from './call.js';
import { GatewayError, gatewayErrorOf, type ErrorForm } from './gateway-error.js';
import { outcomeHeaders } from './headers.js';
import type { Log } from './log.js';
import { checkStored, generateAnswer, interactionAnswer } from './other-wire.js';
import { readTypedBody } from './body.js';
import {
  policies,
  type GatewayOptions,
  type GatewayPolicy,
  type PolicyByRoute,
} from './options.js';
import { passOn } from './pass-on.js';
import {
  gatewayRoute,
  isForInteractions,
  isForOpenAi,
  modelOf,
  type GatewayRoute,
} from './route.js';
import { withTrackedBody } from './tracked-body.js';

/** One request, before its caller is known. */
interface Incoming {
  id: string;
  request: Request;
  url: URL;
  signal: AbortSignal;
  form: ErrorForm;
  startedAt: number;
  /** What is asked for; undefined if it is nothing that the gateway serves. */
  asked: GatewayRoute | undefined;
  /** The name of the route, for logs, metrics and policies. */
  route: string;
}

/** A request with its response, as far as it came. */
interface Handled {
  response: Response;
  call?: Call | undefined;
  /** The code of the refusal. */
  error?: string;
  leave?: (() => void) | undefined;
}

/** Who may pass, and how many. */
interface Gate {
  caller: () => Promise<Caller>;
  /** Throws where a limit is exceeded. Absent: no limits. */
  enter?: (caller: Caller) => Promise<() => void>;
}

/** Handles the requests of one gateway. */
export class GatewayServer {
  readonly #pipeline: Pipeline;
  readonly #log: Log;
  /** Gives callers in process that send different keys different memories. */
  readonly #keys: CallerKeys;

  constructor(pipeline: Pipeline, log: Log) {
    this.#pipeline = pipeline;
    this.#log = log;
    const { secret } = pipeline.options;
    this.#keys = new CallerKeys({ paysUpstream: false, callers: undefined, secret });
  }

  /** Answers a trusted request, like `fetch`. */
  async fetch(request: Request, signal: AbortSignal): Promise<Response> {
    signal.throwIfAborted();
    const incoming = incomingOf(request, signal);
    const handled = await this.#respond(incoming, { caller: () => this.#trusted(request) });
    const response = this.#finish(incoming, handled);
    signal.throwIfAborted();
    return response;
  }

  /** Answers a request from outside. */
  async handle(request: Request): Promise<Response> {
    const incoming = incomingOf(request, request.signal ?? new AbortController().signal);
    const { access } = this.#pipeline;
    const handled = await this.#handled(incoming);
    return access.finish(this.#finish(incoming, handled), request);
  }

  async #handled(incoming: Incoming): Promise<Handled> {
    const { request } = incoming;
    const { access } = this.#pipeline;
    try {
      const preflight = access.checkOrigin(request);
      const response = preflight ?? (await this.#operation(incoming));
      if (response) return { response };
    } catch (error) {
      return refused(error, incoming);
    }
    const caller = () => access.authenticate(request);
    return this.#respond(incoming, { caller, enter: ({ id }) => access.limits.enter(id) });
  }

  // `/health` reveals nothing, so everyone may ask.
  async #operation({ request, url }: Incoming): Promise<Response | undefined> {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (url.pathname === '/health' && isRead) return Response.json({ status: 'ok' });
    if (url.pathname !== '/metrics' || !isRead) return undefined;
    await this.#pipeline.access.checkAdmin(request);
    if (/\bapplication\/json\b/.test(request.headers.get('accept') ?? ''))
      return Response.json({ requests: this.#log.recent });
    const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };
    return new Response(await this.#pipeline.metrics.text(), { headers });
  }

  async #respond(incoming: Incoming, { caller: identify, enter }: Gate): Promise<Handled> {
    let call: Call | undefined;
    let leave: (() => void) | undefined;
    try {
      const caller = await identify();
      call = { ...incoming, caller };
      leave = await enter?.(caller);
      return { response: await this.#answer(call, incoming.asked), call, leave };
    } catch (error) {
      return { ...refused(error, incoming), call, leave };
    }
  }

  async #answer(call: Call, asked: GatewayRoute | undefined): Promise<Response> {
    const { request, url } = call;
    if (!asked) throw routeUnknown(call);
    if (asked.dialect === 'openai') return this.#openAi(call, asked);
    const { route } = asked;
    const model = modelOf(route);
    if (model !== undefined) call.model = model;
    const isNew = route.kind === 'interactions' && route.action === 'create';
    if (route.kind === 'interactions' && !isNew) checkStored(this.#pipeline);
    if (route.kind !== 'generate' && !isNew) return passOn(this.#pipeline, call, route);
    const policy = this.#policy(call);
    const body = await readTypedBody(request, this.#pipeline.options);
    const query = url.searchParams;
    if (route.kind === 'interactions')
      return interactionAnswer(this.#pipeline, call, { route, query, body, policy });
    return generateAnswer(this.#pipeline, call, { route, query, body, policy });
  }

  async #openAi(call: Call, route: GatewayRoute & { dialect: 'openai' }): Promise<Response> {
    if (route.kind === 'chat') return chat(this.#pipeline, call, this.#policy(call));
    if (route.kind === 'models') return openAiModels(this.#pipeline, call);
    call.model = route.model;
    return openAiModel(this.#pipeline, call, route.model);
  }

  #policy({ request, route }: Call): GatewayPolicy {
    const asked = request.headers.get('x-strata-policy');
    if (asked !== null) {
      const policy = policies.find((each) => each === asked);
      if (policy) return policy;
      const message = `x-strata-policy must be one of ${policies.join(', ')}.`;
      throw new GatewayError(400, 'policy.invalid', message);
    }
    const { policy = 'repair' } = this.#pipeline.options;
    if (typeof policy === 'string') return policy;
    return policy[route as keyof PolicyByRoute] ?? 'repair';
  }

  async #trusted(request: Request): Promise<Caller> {
    const process = { id: 'process', memory: true };
    if (this.#pipeline.upstream.pays) return process;
    const sent = sentKey(request);
    if (!sent) return process;
    const caller = await this.#keys.authenticate(request);
    // Access tokens change every hour.
    return sent.isToken ? { ...caller, ...process } : caller;
  }

  /** Returns the response with the headers that say what was done. The request ends with its body. */
  #finish(incoming: Incoming, { response, call, error, leave }: Handled): Response {
    const { id } = incoming;
    const headers = call?.findings?.outcome(id) ?? { requestId: id };
    const named = new Response(response.body, response);
    for (const [name, value] of Object.entries(outcomeHeaders(headers)))
      named.headers.set(name, value);
    let isOpen = true;
    const end = (code?: string) => {
      if (!isOpen) return;
      isOpen = false;
      leave?.();
      this.#report(incoming, named.status, call, error ?? code);
    };
    const { signal } = incoming;
    // Only those from outside take a place.
    const readerMs = leave ? readerTimeoutOf(this.#pipeline.options) : 0;
    return withTrackedBody(named, { signal, readerMs, end });
  }

  #report(
    { id, request, startedAt, route }: Incoming,
    status: number,
    call: Call | undefined,
    error: string | undefined,
  ): void {
    const { metrics } = this.#pipeline;
    const { findings, tokens, model, upstream } = call ?? {};
    const {
      codes = [],
      repaired = [],
      restored = 0,
      removed = 0,
      placeholder = 0,
    } = findings ?? {};
    metrics.request(route, status);
    metrics.findings(codes);
    metrics.repaired(repaired);
    metrics.restored(restored);
    metrics.placeholders(placeholder);
    const code = error ?? call?.failure;
    this.#log.write({
      ...{ id, method: request.method, route, status, ms: Date.now() - startedAt },
      ...(call && { caller: call.caller.id }),
      ...(model !== undefined && { model }),
      ...(upstream !== undefined && { upstream }),
      ...(code !== undefined && { error: code }),
      ...(findings && { findings: codes, repaired, restored, removed, placeholder }),
      ...(tokens && {
        inputTokens: tokens.inputTokens,
        cachedTokens: tokens.cachedTokens,
        outputTokens: tokens.outputTokens + tokens.thoughtTokens,
      }),
    });
  }
}

const defaultReaderMs = 60_000;

const readerTimeoutOf = ({ readerTimeoutMs, timeoutMs }: GatewayOptions): number =>
  readerTimeoutMs ?? Math.min(defaultReaderMs, timeoutMs || Infinity);

const operations: Readonly<Record<string, string>> = { '/health': 'health', '/metrics': 'metrics' };

function incomingOf(request: Request, signal: AbortSignal): Incoming {
  const url = new URL(request.url);
  const form = errorForm(request, url);
  const asked = gatewayRoute(request, url);
  const route = asked ? routeName(asked) : (operations[url.pathname] ?? 'unknown');
  const id = crypto.randomUUID();
  return { id, request, url, signal, form, startedAt: Date.now(), asked, route };
}

function errorForm(request: Request, url: URL): ErrorForm {
  if (isForOpenAi(request, url)) return 'openai';
  return isForInteractions(url) ? 'interactions' : 'google';
}

function refused(thrown: unknown, { signal, form }: Incoming): Handled {
  const error = signal.aborted
    ? new GatewayError(499, 'client.left', 'The client has left.')
    : gatewayErrorOf(thrown);
  // The log names a failure of the gateway itself, such as a core that cannot be loaded; the response does not.
  const code = thrown instanceof StrataError && !signal.aborted ? thrown.code : error.code;
  return { response: error.toResponse(form), error: code };
}

function routeUnknown({ form }: Pick<Incoming, 'form'>): GatewayError {
  const advice =
    form === 'openai'
      ? "Of OpenAI's API it serves POST chat/completions, GET models and GET models/{model}."
      : 'Check the base URL: clients of OpenAI need /v1 at its end, the AI SDK needs /v1beta, and others need no path.';
  const message = `The gateway does not serve this combination of method and path. ${advice}`;
  return new GatewayError(404, 'route.unknown', message);
}

/** Returns the name of what is asked for, as policies, logs and metrics use it. */
function routeName(route: GatewayRoute): string {
  if (route.dialect === 'openai')
    return route.kind === 'chat' ? 'chatCompletions' : `openai.${route.kind}`;
  if (route.route.kind !== 'generate') return route.route.kind;
  return route.route.stream ? 'streamGenerateContent' : 'generateContent';
}
