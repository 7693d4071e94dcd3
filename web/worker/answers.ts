// Answers requests for threads and pages, or refuses those whose origin may not call.
import { securityHeaders } from '../gateway/headers.js';
import { isPreflight } from '../server/origins.js';
import { checkOrigin, preflight } from './access.js';
import type { Deployment } from './define-deployment.js';
import type { Env } from './env.js';
import { errorResponse } from './error-body.js';
import { countRequest, type Keeper } from './metrics.js';
import { threadRouteName, threadRoutes } from './routes.js';

/** Answers a request whose origin may call, or refuses it. */
export async function answerOf(
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

// Threads answer programs: a body that a browser opens runs nothing, and nothing is kept.
function protectedAnswer(response: Response): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(securityHeaders)) headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
}

/** Answers a request of a path of threads, and counts it. */
export async function threadAnswer(
  request: Request,
  env: Env,
  keeper: Keeper,
  deployment: Deployment,
): Promise<Response> {
  const routes = () => threadRoutes(request, env, deployment);
  const response = await answerOf(request, env, routes);
  const { pathname } = new URL(request.url);
  countRequest(env, keeper, threadRouteName(request, pathname), response.status);
  return protectedAnswer(response);
}
