// Why this file exists: the Worker's door. `npm run worker` runs it here, `wrangler deploy` on Cloudflare.
import { chat } from './chat.js';
import { modelOf, type Env } from './env.js';
import { errorResponse, HttpError, preflight, withCors } from './http.js';

export { KeptChat } from './kept-chat.js';

function about(url: URL, env: Env): Response {
  const answers = env.GEMINI_API_KEY
    ? 'The Gemini API answers, paid for by the key of this Worker.'
    : 'The built-in emulator answers: no network, no key, invented text.';
  const text = `prompt-strata: a Gemini conversation in a Worker, model ${modelOf(env)}.
${answers}

  curl -N ${url.origin}/chat -d '{"message":"What is the weather in Oslo?"}'

POST /chat takes {"message", "history"} and streams the conversation's events as server-sent events,
or as NDJSON with -H 'accept: application/x-ndjson'. The last event, "saved", holds the thread: send
it back as "history" to go on.

POST /chat/<name> takes {"message"} and keeps the thread here, in a Durable Object; GET gives its
turns, DELETE forgets them. Whoever knows the name can do so.
`;
  return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
}

// However it is written in the address, a name is one name.
function nameIn(path: string): string | undefined {
  try {
    const name = decodeURIComponent(path);
    return /^[^/\p{Cc}]{1,200}$/u.test(name) ? name : undefined;
  } catch {
    return undefined;
  }
}

// One object a name. Sends to one thread stand in line there, those to different threads do not meet.
async function keptChat(request: Request, path: string, env: Env): Promise<Response> {
  const name = nameIn(path);
  if (name === undefined) {
    const message = 'A name has 1 to 200 characters; none is a slash or a control character';
    return errorResponse(new HttpError(400, 'name.invalid', message));
  }
  if (!env.CHATS) {
    return errorResponse(
      new HttpError(501, 'threads.unavailable', 'No Durable Object is bound here'),
    );
  }
  if (!['GET', 'HEAD', 'POST', 'DELETE'].includes(request.method)) {
    return methodNotAllowed('GET, HEAD, POST, DELETE');
  }
  return env.CHATS.get(env.CHATS.idFromName(name)).fetch(request);
}

function methodNotAllowed(allow: string): Response {
  const refused = errorResponse(new HttpError(405, 'method.not_allowed', `Use ${allow} here`));
  refused.headers.set('allow', allow);
  return refused;
}

async function route(request: Request, env: Env): Promise<Response> {
  const url = new URL(request.url);
  const route = `${request.method} ${url.pathname}`;
  if (request.method === 'OPTIONS') return preflight();
  if (route === 'GET /' || route === 'HEAD /') return about(url, env);
  if (route === 'POST /chat') return chat(request, env);
  const [, path] = /^\/chat\/([^/]+)$/.exec(url.pathname) ?? [];
  if (path !== undefined) return keptChat(request, path, env);
  if (url.pathname === '/') return methodNotAllowed('GET, HEAD');
  if (url.pathname === '/chat') return methodNotAllowed('POST');
  const message = 'There are /, /chat and /chat/<name> here';
  return errorResponse(new HttpError(404, 'route.unknown', message));
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    return withCors(await route(request, env), env);
  },
};
