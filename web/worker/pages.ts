// Serves the page at `/` and its files, with headers that protect browsers.
import { upstreamOf, type Env } from './env.js';
import { checkMethod, unknownRoute } from './routes.js';

// The page brings its own policy. A policy in a header applies as well, and only there frame-ancestors has an effect.
const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "frame-ancestors 'self'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
};

function withPageHeaders(response: Response): Response {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(pageHeaders)) headers.set(name, value);
  return new Response(response.body, { status: response.status, headers });
}

const upstreamTexts = {
  gemini: 'The Gemini API answers.',
  emulator: 'The built-in emulator answers: no network, no Gemini key, invented text.',
  nobody: 'No upstream is configured: this deployment has neither GEMINI_API_KEY nor EMULATOR.',
};

function aboutText(origin: string, env: Env): string {
  return `prompt-strata: conversations with Gemini in a Worker.
${upstreamTexts[upstreamOf(env) ?? 'nobody']}

  curl ${origin}/threads -X POST -H 'authorization: Bearer KEY'

creates a thread and returns its id. KEY is a caller key of this deployment.

  curl -N ${origin}/threads/ID/messages -H 'authorization: Bearer KEY' \\
    -H 'content-type: application/json' -d '{"message":"What is the weather in Oslo?"}'

sends a message and streams the events of the conversation as server-sent events, or as NDJSON with
-H 'accept: application/x-ndjson'. docs/threads.md describes all routes.

This origin is also a gateway: the base URL of clients of the Gemini API, and with /v1 of OpenAI's.
`;
}

function aboutPage(request: Request, env: Env): Response {
  const text = aboutText(new URL(request.url).origin, env);
  return new Response(request.method === 'HEAD' ? null : text, {
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });
}

/**
 * Answers a request for a page or a file: the static files if the deployment has them, else a text at `/`.
 *
 * @throws HttpError with the status 404 or 405
 */
export async function pageRoutes(request: Request, env: Env): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (env.ASSETS) {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const response = isRead ? await env.ASSETS.fetch(request) : undefined;
    if (response && response.status !== 404) return withPageHeaders(response);
  }
  if (pathname !== '/') throw unknownRoute();
  checkMethod(request, 'GET', 'HEAD');
  return withPageHeaders(aboutPage(request, env));
}
