// Routes the Worker's requests. `npm run worker` runs it locally, `npm run deploy` deploys it to Cloudflare.
import { securityHeaders } from '../gateway/headers.js';
import { isPreflight } from '../sdk/server/origins.js';
import type { Env } from './env.js';
import { errorResponse } from './error-body.js';
import { handleGateway, isGatewayPath } from './gateway.js';
import { checkOrigin, preflight, withCors } from './origins.js';
import { pageRoutes } from './pages.js';
import { isThreadPath, threadRoutes } from './routes.js';

export { SignatureMemoryObject } from '../gateway.js';
export { CallerObject } from './caller-object.js';

// Threads answer programs: a body that a browser opens runs nothing, and nothing is kept.
function protectedAnswer(response: Response): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(securityHeaders)) headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
}

async function route(request: Request, env: Env): Promise<Response> {
  const { pathname } = new URL(request.url);
  checkOrigin(request, env);
  if (isPreflight(request)) return preflight();
  if (!isThreadPath(pathname)) return pageRoutes(request, env);
  return threadRoutes(request, env);
}

async function answer(request: Request, env: Env): Promise<Response> {
  const { pathname } = new URL(request.url);
  const response = await route(request, env).catch((error: unknown) => errorResponse(error, env));
  return withCors(isThreadPath(pathname) ? protectedAnswer(response) : response, request, env);
}

export default {
  fetch(request: Request, env: Env): Promise<Response> {
    // The gateway decides about origins itself.
    if (!isGatewayPath(new URL(request.url).pathname)) return answer(request, env);
    return handleGateway(request, env).catch((error: unknown) => errorResponse(error, env));
  },
};
