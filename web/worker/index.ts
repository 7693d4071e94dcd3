// Routes the Worker's requests, and exports the classes of its Durable Objects. `npm run worker` runs it locally, `npm run deploy` deploys it to Cloudflare.
import { dashboardResponse } from '../dashboard/dashboard.js';
import { securityHeaders } from '../gateway/headers.js';
import { isPreflight } from '../server/origins.js';
import deployment from './deployment.js';
import type { Env } from './env.js';
import { errorResponse } from './error-body.js';
import { handleGateway, isGatewayPath } from './gateway.js';
import { countRequest, type Keeper } from './metrics.js';
import { checkOrigin, preflight, withCors } from './access.js';
import { pageRoutes } from './pages.js';
import { isThreadPath, threadRouteName, threadRoutes } from './routes.js';
import { StoredThread, type ThreadState } from './threads/thread-object.js';

export { SignatureMemoryObject } from '../gateway/index.js';
export { CallerObject } from './caller-limits.js';
export { MetricsObject } from './metrics-object.js';

/**
 * The Durable Object of one thread. Deployments name this class in their migrations (wrangler.jsonc), so it cannot be
 * renamed without a migration.
 */
export class ThreadObject extends StoredThread {
  constructor(state: ThreadState, env: Env) {
    super(state, env, deployment);
  }
}

// Threads answer programs: a body that a browser opens runs nothing, and nothing is kept.
function protectedAnswer(response: Response): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(securityHeaders)) headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
}

async function threadAnswer(request: Request, env: Env, keeper: Keeper): Promise<Response> {
  const response = await answerOf(request, env, threadRoutes);
  const { pathname } = new URL(request.url);
  countRequest(env, keeper, threadRouteName(request, pathname), response.status);
  return protectedAnswer(response);
}

/** Answers a request whose origin may call, or refuses it. */
async function answerOf(
  request: Request,
  env: Env,
  routes: (request: Request, env: Env) => Promise<Response>,
): Promise<Response> {
  try {
    checkOrigin(request, env);
    return isPreflight(request) ? preflight() : await routes(request, env);
  } catch (error) {
    return errorResponse(error, env);
  }
}

async function gatewayAnswer(request: Request, env: Env, keeper: Keeper): Promise<Response> {
  try {
    return await handleGateway(request, env, keeper);
  } catch (error) {
    return errorResponse(error, env);
  }
}

/** Returns a file of the dashboard; undefined for another request, or without an admin key. */
const dashboardFile = (request: Request, { GATEWAY_ADMIN_KEY: key }: Env): Response | undefined =>
  key?.trim() ? dashboardResponse(request) : undefined;

export default {
  async fetch(request: Request, env: Env, keeper: Keeper): Promise<Response> {
    const { pathname } = new URL(request.url);
    // The gateway decides about origins itself.
    if (isGatewayPath(pathname)) return gatewayAnswer(request, env, keeper);
    const file = dashboardFile(request, env);
    if (file) return file;
    const response = isThreadPath(pathname)
      ? await threadAnswer(request, env, keeper)
      : await answerOf(request, env, pageRoutes);
    return withCors(response, request, env);
  },
};
