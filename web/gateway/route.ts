// Maps a request to what the gateway does with it: a method of Google's API, or OpenAI's form of one.
import { matchRoute, type Route } from '../server/match-route.js';

/** The methods of Google's API that the gateway passes on. */
export type GoogleRoute = Exclude<Route, { kind: 'batches' }>;

/** What a request asks for. */
export type GatewayRoute =
  | { dialect: 'gemini'; route: GoogleRoute }
  | { dialect: 'openai'; kind: 'chat' }
  | { dialect: 'openai'; kind: 'models' }
  | { dialect: 'openai'; kind: 'model'; model: string };

/** The names of models that the gateway takes. */
export const modelForm = /^[\w.-]{1,200}$/;

/**
 * Returns what a request asks for; undefined if the gateway does not serve it. Only forms of paths that Google's APIs
 * have are accepted, so that a path cannot lead elsewhere upstream.
 */
export function gatewayRoute(request: Request, url: URL): GatewayRoute | undefined {
  return openAiRoute(request, url) ?? googleRoute(request.method, url);
}

// Methods of OpenAI's API, most of which the gateway does not serve. Google's v1 has none of these names.
const openAiPath =
  /^\/v1beta\/openai(?:\/|$)|^\/v1\/(?:chat|completions|embeddings|responses|images|audio|moderations)(?:\/|$)/;

/**
 * Returns whether errors have OpenAI's form, also those of requests that are refused early. Google's SDKs call `v1`, too:
 * they name themselves, or their methods have a colon.
 */
export function isForOpenAi({ headers }: Request, { pathname }: URL): boolean {
  if (openAiPath.test(pathname)) return true;
  return /^\/v1\/models(?:\/[^:]*)?$/.test(pathname) && !headers.has('x-goog-api-client');
}

/** Returns whether errors have the form of the Interactions API. */
export const isForInteractions = ({ pathname }: URL): boolean =>
  /^\/v1(?:beta)?\/interactions(?:\/|$)/.test(pathname);

function openAiRoute(request: Request, url: URL): GatewayRoute | undefined {
  const { method, headers } = request;
  const [, base, path = ''] = /^\/(v1|v1beta\/openai)\/(.+)$/.exec(url.pathname) ?? [];
  if (path === 'chat/completions')
    return method === 'POST' ? { dialect: 'openai', kind: 'chat' } : undefined;
  // The Gemini API has a v1, too: its SDKs name themselves.
  const isGoogles = base === 'v1' && headers.has('x-goog-api-client');
  if (base === undefined || isGoogles || method !== 'GET') return undefined;
  if (path === 'models') return { dialect: 'openai', kind: 'models' };
  const model = /^models\/(?:models\/)?([^/:]+)$/.exec(path)?.[1];
  if (model === undefined || !modelForm.test(model)) return undefined;
  return { dialect: 'openai', kind: 'model', model };
}

function googleRoute(method: string, url: URL): GatewayRoute | undefined {
  const route = matchRoute(method, url);
  if (!route || route.kind === 'batches' || !isWellFormed(route)) return undefined;
  return { dialect: 'gemini', route };
}

// Projects and locations become part of a host or of a path.
function isWellFormed({ place: { parent, firebaseProject } }: Route): boolean {
  const isProject = /^\w[\w.:-]*$/;
  const [, project, , location] = parent.split('/');
  if (firebaseProject !== '' && !isProject.test(firebaseProject)) return false;
  return parent === '' || (isProject.test(project ?? '') && /^[a-z0-9-]+$/.test(location ?? ''));
}

/** Returns the model that a request is for, where its path names one. */
export function modelOf(route: GoogleRoute): string | undefined {
  return 'model' in route ? route.model : undefined;
}

/** Returns whether errors come in an array: in a stream without `alt=sse`. */
export const answersArray = (route: GoogleRoute): boolean =>
  route.kind === 'generate' && route.stream && !route.sse;
