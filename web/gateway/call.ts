// Describes one request on its way through the gateway, and what all requests share.
import type { UsageMetadata } from '../sdk/types/gemini/usage-metadata.js';
import type { Access } from './access.js';
import type { Caller } from './callers.js';
import type { CoreHolder } from './core-holder.js';
import type { Findings } from './findings.js';
import type { ErrorForm } from './gateway-error.js';
import type { CallerMemories } from './caller-memories.js';
import type { Metrics } from './metrics.js';
import type { TokenCounts } from '../sdk/base/token-cost.js';
import type { GatewayOptions } from './options.js';
import type { Upstream } from './upstream.js';

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
  tokens?: TokenCounts;
  /** The code of a failure that did not end the request. */
  failure?: string;
}

/** Returns the token counts of an answer; undefined if it has none. */
export function tokenCounts(usage: UsageMetadata): TokenCounts | undefined {
  const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount } = usage;
  const { toolUsePromptTokenCount = 0, cachedContentTokenCount = 0 } = usage;
  if (promptTokenCount === undefined && candidatesTokenCount === undefined) return undefined;
  return {
    input: (promptTokenCount ?? 0) + toolUsePromptTokenCount,
    cached: cachedContentTokenCount,
    output: (candidatesTokenCount ?? 0) + (thoughtsTokenCount ?? 0),
  };
}
