// Creates the gateway: one handler that checks callers, and one `fetch` for use in process.
import { loadGatewayCore } from '../check/wasm-checker.js';
import { requestOf } from '../server/match-route.js';
import type { Fetch, FetchHandler, PlatformRequest } from '../sdk/types/platform.js';
import { createAccess } from './access.js';
import { CallerMemories } from './call-memory.js';
import { CoreHolder, type Pipeline } from './call.js';
import { createLog } from './log.js';
import { createMemoryStore } from './memory/memory-store.js';
import { createMetrics, type Metrics } from './metrics.js';
import { checkGatewayOptions, type GatewayOptions } from './options.js';
import { GatewayServer } from './server.js';
import { Upstream } from './upstream.js';

/** A gateway. */
export interface Gateway {
  /**
   * For use in process, as the `fetch` of an SDK. Whoever calls it is trusted. The host of the URL does not matter:
   * requests go to Google, or to `upstream`.
   */
  readonly fetch: Fetch;
  /** For servers, such as `serve` of `prompt-strata/node`, Deno.serve, Bun.serve and Workers. Callers are checked. */
  readonly handle: FetchHandler;
}

const defaultTimeoutMs = 600_000;

function pipelineOf(options: GatewayOptions, metrics: Metrics): Pipeline {
  const { upstream: fetch, apiKey, vertexai, timeoutMs = defaultTimeoutMs } = options;
  const { callers, secret, origins, limits, adminKey, memory, wasm } = options;
  const upstream = new Upstream({ fetch, apiKey, vertexai, timeoutMs });
  const paysUpstream = upstream.pays;
  const store = memory ?? createMemoryStore();
  return {
    options,
    upstream,
    access: createAccess({ paysUpstream, callers, secret, origins, limits, adminKey }),
    core: new CoreHolder(() => loadGatewayCore(wasm ? { wasm } : {})),
    memories: store ? new CallerMemories(store, secret) : undefined,
    metrics,
  };
}

/**
 * Creates a gateway between clients and Gemini. Point the base URL of a client at a server that calls `handle`, or give
 * `fetch` to an SDK: requests that Gemini would refuse are repaired, and thought signatures that clients drop come back.
 * It speaks Gemini's API (AI Studio and Vertex AI) and OpenAI's chat completions: docs/gateway.md.
 *
 * @throws StrataError `field.unknown`, `field.invalid` or `key.invalid` for invalid options, `memory.secret_missing` for
 *   a memory that outlives the process, without a secret
 *
 * @example
 * const gateway = createGateway();
 * await serve(gateway.handle, { port: 8080 });
 */
export function createGateway(options: GatewayOptions = {}): Gateway {
  return createGatewayWith(options, createMetrics());
}

/**
 * Creates a gateway that counts with the given metrics, which other parts of a deployment may share.
 *
 * @throws StrataError as `createGateway`
 */
export function createGatewayWith(options: GatewayOptions, metrics: Metrics): Gateway {
  checkGatewayOptions(options);
  const server = new GatewayServer(pipelineOf(options, metrics), createLog(options.log));
  const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const { request, signal } = requestOf(input, init);
    return server.fetch(request, signal);
  };
  const handle = (request: PlatformRequest) => server.handle(request);
  return { fetch: fetch, handle };
}
