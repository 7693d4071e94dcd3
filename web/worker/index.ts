// Routes the Worker's requests, and exports the classes of its Durable Objects. `npm run worker` runs it locally, `npm run deploy` deploys it to Cloudflare.
import { dashboardResponse } from '../dashboard/dashboard.js';
import deployment from './deployment.js';
import type { Env } from './env.js';
import { errorResponse } from './error-body.js';
import { handleGateway, isGatewayPath } from './gateway.js';
import type { Keeper } from './metrics.js';
import { withCors } from './access.js';
import { answerOf, threadAnswer } from './answers.js';
import { pageRoutes } from './pages.js';
import { isThreadPath } from './routes.js';
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
      ? await threadAnswer(request, env, keeper, deployment)
      : await answerOf(request, env, pageRoutes);
    return withCors(response, request, env);
  },
};
