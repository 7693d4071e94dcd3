// Describes one request on its way through the gateway, and what all requests share.
import type { Access } from './access.js';
import type { Caller } from './callers.js';
import type { CoreHolder } from './core-holder.js';
import type { Findings } from './findings.js';
import type { ErrorForm } from './gateway-error.js';
import type { CallerMemories } from './caller-memories.js';
import type { Metrics } from './metrics.js';
import type { GatewayOptions } from './options.js';
import type { Upstream } from './upstream.js';
import type { TokenUsage } from '../sdk/types/usage.js';

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
