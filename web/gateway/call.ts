// Holds what belongs to one request of a caller, the core that it uses, and sends it upstream.
import type { GatewayCore } from '../check/gateway-core.js';
import type { Access } from './access.js';
import type { Caller } from './callers.js';
import type { Findings } from './headers.js';
import { GatewayError, type ErrorForm } from './gateway-error.js';
import type { CallerMemories } from './call-memory.js';
import type { Metrics } from './metrics.js';
import type { GatewayOptions } from './options.js';
import type { Upstream } from './upstream.js';
import { isTrap } from '../sdk/internal/shared-instance.js';
import type { TokenUsage } from '../sdk/types/usage.js';
import { modelOf, type GoogleRoute } from './route.js';
import type { Target } from './target.js';

/** The core that the requests share. */
export class CoreHolder {
  readonly #load: () => Promise<GatewayCore>;
  #core: Promise<GatewayCore> | undefined;

  /** `load` creates an instance. */
  constructor(load: () => Promise<GatewayCore>) {
    this.#load = load;
  }

  /**
   * Runs `work` with the core. If the instance has trapped, perhaps in another request, `work` runs once more with a
   * new one.
   */
  async use<Result>(work: (core: GatewayCore) => Result | Promise<Result>): Promise<Result> {
    const core = this.#get();
    try {
      return await work(await core);
    } catch (error) {
      if (!isTrap(error)) throw error;
      this.#forget(core);
    }
    const next = this.#get();
    try {
      return await work(await next);
    } catch (error) {
      if (isTrap(error)) this.#forget(next);
      throw error;
    }
  }

  #get(): Promise<GatewayCore> {
    if (this.#core) return this.#core;
    const core = this.#load();
    this.#core = core;
    // A failure is not kept.
    core.catch(() => this.#forget(core));
    return core;
  }

  #forget(core: Promise<GatewayCore>): void {
    if (this.#core === core) this.#core = undefined;
  }
}

/** What all requests of a gateway share. */
export interface Pipeline {
  options: GatewayOptions;
  access: Access;
  upstream: Upstream;
  core: CoreHolder;
  /** undefined without a memory. */
  memories: CallerMemories | undefined;
  metrics: Metrics;
}

/** One request, and what becomes known about it. */
export interface Call {
  readonly id: string;
  readonly request: Request;
  readonly url: URL;
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal;
  readonly form: ErrorForm;
  readonly caller: Caller;
  /** The name of the route, for policies. */
  readonly route: string;
  model?: string;
  findings?: Findings;
  /** The status of the upstream. */
  upstream?: number;
  tokens?: TokenUsage;
  /** The code of a failure that did not end the request. */
  failure?: string;
}

/**
 * Refuses models that the gateway does not offer.
 *
 * @throws GatewayError with the status 404
 */
export function checkModel({ options: { models } }: Pipeline, model: string | undefined): void {
  if (!models || model === undefined || models.includes(model)) return;
  throw new GatewayError(404, 'model.not_offered', 'This gateway does not offer the model.');
}

/** What is sent. */
export interface Sent {
  route: GoogleRoute;
  target: Target;
  method: string;
  body?: Uint8Array | undefined;
}

/**
 * Sends a request and returns the upstream's response, whatever its status. `fetch` is called before this returns,
 * unless a token is fetched first.
 *
 * @throws GatewayError; the reason of an abort
 */
export async function sendUpstream(pipeline: Pipeline, call: Call, sent: Sent): Promise<Response> {
  const { target, method, body } = sent;
  const { request, caller, signal } = call;
  const { headers } = request;
  checkModel(pipeline, modelOf(sent.route));
  const start = Date.now();
  const response = await pipeline.upstream.send({ target, method, body, headers, caller, signal });
  pipeline.metrics.upstreamSeconds((Date.now() - start) / 1000);
  call.upstream = response.status;
  if (response.status === 400) pipeline.metrics.upstreamBadRequest();
  return response;
}
