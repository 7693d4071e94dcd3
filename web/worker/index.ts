// Routes the Worker's requests. `npm run worker` runs it locally, `wrangler deploy` on Cloudflare.
import { checkAccess } from './access.js';
import { chat } from './chat.js';
import { handleGateway, isGatewayPath } from './gateway.js';
import { upstreamOf, type Env } from './env.js';
import { errorResponse } from './error-body.js';
import { checkJsonType } from '../sdk/server/body.js';
import { HttpError } from '../sdk/server/http-error.js';
import { isPreflight } from '../sdk/server/origins.js';
import { checkOrigin, preflight, withCors } from './origins.js';

export { SignatureMemoryObject } from '../gateway.js';
export { KeptChat } from './stored-chat.js';

const upstreamTexts = {
  gemini: 'The Gemini API answers.',
  emulator: 'The built-in emulator answers: no network, no Gemini key, invented text.',
  nobody: 'No upstream is configured: this deployment has neither GEMINI_API_KEY nor EMULATOR.',
};

function aboutPage(url: URL, env: Env): Response {
  const text = `prompt-strata: a Gemini conversation in a Worker.
${upstreamTexts[upstreamOf(env) ?? 'nobody']}

  curl -N ${url.origin}/chat -H 'authorization: Bearer KEY' -H 'content-type: application/json' \\
    -d '{"message":"What is the weather in Oslo?"}'

KEY is the CALLER_KEY of this deployment.

POST /chat takes {"message", "history"} and streams the conversation's events as server-sent events,
or as NDJSON with -H 'accept: application/x-ndjson'. The last event, "saved", holds the thread: send
it back as "history" to continue.

POST /chat/<name> takes {"message"} and stores the thread here, in a Durable Object. GET returns its
turns, DELETE deletes it. Both need the key.

This origin is also a gateway: the base URL of clients of the Gemini API, and with /v1 of OpenAI's.
`;
  return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
}

// Decodes the name, so that all percent-encodings of a name select the same thread.
function decodeName(path: string): string {
  const message = 'A name has 1 to 200 characters; none is a slash or a control character';
  const invalid = new HttpError(400, 'name.invalid', message);
  try {
    const name = decodeURIComponent(path);
    if (/^[^/\p{Cc}]{1,200}$/u.test(name)) return name;
  } catch {
    throw invalid;
  }
  throw invalid;
}

function checkMethod(request: Request, allow: string): void {
  if (allow.split(', ').includes(request.method)) return;
  throw new HttpError(405, 'method.not_allowed', `Use ${allow} here`, { allow });
}

// Each name has its own Durable Object, which queues the sends to its thread.
async function storedChatRoute(request: Request, path: string, env: Env): Promise<Response> {
  const name = decodeName(path);
  if (!env.CHATS) {
    throw new HttpError(501, 'threads.unavailable', 'No Durable Object is bound here');
  }
  checkMethod(request, 'GET, HEAD, POST, DELETE');
  if (request.method === 'POST') checkJsonType(request);
  return env.CHATS.get(env.CHATS.idFromName(name)).fetch(request);
}

async function chatRoute(request: Request, pathname: string, env: Env): Promise<Response> {
  await checkAccess(request, env);
  if (pathname === '/chat') {
    checkMethod(request, 'POST');
    checkJsonType(request);
    return chat(request, env);
  }
  const [, path] = /^\/chat\/([^/]+)$/.exec(pathname) ?? [];
  if (path === undefined) throw unknownRoute();
  return storedChatRoute(request, path, env);
}

const unknownRoute = () =>
  new HttpError(404, 'route.unknown', 'Unknown route: use /, /chat, /chat/<name>, /v1 or /v1beta');

async function route(request: Request, env: Env): Promise<Response> {
  const url = new URL(request.url);
  checkOrigin(request, env);
  if (isPreflight(request)) return preflight();
  if (/^\/chat(\/|$)/.test(url.pathname)) return chatRoute(request, url.pathname, env);
  if (url.pathname !== '/') throw unknownRoute();
  checkMethod(request, 'GET, HEAD');
  return aboutPage(url, env);
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const isGateway = isGatewayPath(new URL(request.url).pathname);
    const work = isGateway ? handleGateway(request, env) : route(request, env);
    const response = await work.catch((error: unknown) => errorResponse(error, env));
    // The gateway decides about origins itself.
    return isGateway ? response : withCors(response, request, env);
  },
};
