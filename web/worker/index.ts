// Why this file exists: the Worker's door. `npm run worker` runs it here, `wrangler deploy` on Cloudflare.
import { chat } from './chat.js';
import { modelOf, type Env } from './env.js';
import { errorResponse, HttpError, preflight, withCors } from './http.js';

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
`;
  return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
}

async function route(request: Request, env: Env): Promise<Response> {
  const url = new URL(request.url);
  const route = `${request.method} ${url.pathname}`;
  if (request.method === 'OPTIONS') return preflight();
  if (route === 'GET /' || route === 'HEAD /') return about(url, env);
  if (route === 'POST /chat') return chat(request, env);
  if (url.pathname !== '/' && url.pathname !== '/chat') {
    return errorResponse(new HttpError(404, 'route.unknown', 'There are / and /chat here'));
  }
  const allow = url.pathname === '/' ? 'GET' : 'POST';
  const refused = errorResponse(new HttpError(405, 'method.not_allowed', `Use ${allow} here`));
  refused.headers.set('allow', allow);
  return refused;
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    return withCors(await route(request, env), env);
  },
};
