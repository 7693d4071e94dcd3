// Serves the gateway's routes with the Worker's variables and secrets.
import {
  durableObjectMemory,
  type Gateway,
  type GatewayOptions,
  type GatewayPolicy,
} from '../gateway/index.js';
import { createGatewayWith } from '../gateway/gateway.js';
import { withTrackedBody } from '../gateway/tracked-body.js';
import { createEmulator } from '../emulator/index.js';
import { originForm } from '../server/origins.js';
import { callersOf } from './access.js';
import { geminiKeyOf, isOn, listOf, upstreamOf, type Env } from './env.js';
import { isolateMetrics, reportCounts, type Keeper } from './metrics.js';

/** Returns whether the gateway serves a path: those of Google's APIs and of OpenAI's, and its own two. */
export const isGatewayPath = (pathname: string): boolean =>
  /^\/(?:(?:upload\/)?v\d\w*\/|health$|metrics$)/.test(pathname);

// Each request has its own emulator, because a Worker cannot await I/O that another request started.
const emulator: typeof fetch = (input, init) =>
  createEmulator({ now: () => new Date().toISOString() })(input, init);

function upstreamOptions(env: Env, isListed: boolean): GatewayOptions {
  if (upstreamOf(env) === 'gemini') return { apiKey: geminiKeyOf(env) };
  if (upstreamOf(env) === undefined) return {};
  // The emulator takes any key; with listed callers the gateway has to have one.
  return { upstream: emulator, ...(isListed && { apiKey: 'emulator' }) };
}

type Wire = NonNullable<GatewayOptions['upstreamWire']>;

// workerd drops the work for a client that has left without telling it, so its place would stay taken until the isolate
// ends. The platform bounds what an isolate does.
const unboundedPlaces = { concurrency: Infinity, totalConcurrency: Infinity };

async function optionsOf(env: Env): Promise<GatewayOptions> {
  const callers = await callersOf(env);
  const secret = env.GATEWAY_SECRET?.trim();
  const adminKey = env.GATEWAY_ADMIN_KEY?.trim();
  return {
    ...upstreamOptions(env, callers !== undefined),
    ...(callers && { callers }),
    ...(secret && { secret }),
    // Without a secret nobody could read the objects after the isolate ends.
    ...(secret && env.SIGNATURES && { memory: durableObjectMemory(env.SIGNATURES) }),
    ...(adminKey && { adminKey }),
    ...(env.GATEWAY_POLICY && { policy: env.GATEWAY_POLICY as GatewayPolicy }),
    ...(env.GATEWAY_UPSTREAM_WIRE && { upstreamWire: env.GATEWAY_UPSTREAM_WIRE as Wire }),
    placeholder: isOn(env.GATEWAY_PLACEHOLDER),
    // Others match nothing, as for threads.
    origins: listOf(env.ALLOWED_ORIGINS).filter((origin) => originForm.test(origin)),
    limits: { ...unboundedPlaces, ...(env.RATE_LIMITER && { rateLimiter: env.RATE_LIMITER }) },
    log: (line) => console.log(line),
  };
}

const createFrom = async (env: Env): Promise<Gateway> =>
  createGatewayWith(await optionsOf(env), isolateMetrics(env));

// The requests of an isolate share one gateway: its core and its memory.
const gateways = new WeakMap<Env, Promise<Gateway>>();

function gatewayOf(env: Env): Promise<Gateway> {
  const known = gateways.get(env);
  if (known) return known;
  const created = createFrom(env);
  gateways.set(env, created);
  created.catch(() => gateways.delete(env));
  return created;
}

/**
 * Answers a request of a gateway's route. It is counted when its answer has left.
 *
 * @throws HttpError with the status 500 if a variable is invalid
 */
export async function handleGateway(request: Request, env: Env, keeper: Keeper): Promise<Response> {
  const response = await (await gatewayOf(env)).handle(request);
  const end = () => reportCounts(env, keeper);
  return withTrackedBody(response, { signal: request.signal, readerMs: 0, end });
}
