// Tells from the address of a request which method of which service it calls, and for which model.
import type { Backend } from '../check/index.js';
import { describeText } from './other-apis.js';
import type { Request } from './request.js';

/** A method of the API that a URL calls. */
export interface ApiCall {
  method: string;
  model?: string;
  backend: Backend;
  apiVersion?: 'v1';
}

// …/models/gemini-3.8-flash:streamGenerateContent?alt=sse, …/v1beta/cachedContents
const modelMethod =
  /\/models\/([^/:?#]+):(generateContent|streamGenerateContent|countTokens)(?=$|[?#])/;
const cacheMethod = /\/cachedContents(?=$|[?#])/;
const interactionsMethod = /(?:\/(v1))?\/interactions(?=$|[?#])/;

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Returns the Gemini API method that a URL calls; undefined for other URLs. */
export function apiCallOf(url: string): ApiCall | undefined {
  const backend = /^https:\/\/[^/]*aiplatform\.googleapis\.com\//.test(url) ? 'vertex' : 'gemini';
  const [, model, method] = modelMethod.exec(url) ?? [];
  if (model !== undefined && method !== undefined) {
    return { method, model: decodeName(model), backend };
  }
  const interactions = interactionsMethod.exec(url);
  if (interactions)
    return { method: 'interactions', backend, ...(interactions[1] && { apiVersion: 'v1' }) };
  return cacheMethod.test(url) ? { method: 'cachedContents', backend } : undefined;
}

// generateContent of a tuned model or an endpoint, which names no model of the catalogue.
const checked = /:(?:generateContent|streamGenerateContent|countTokens)$/;

// Methods that other hosts serve under the same paths: gateways, proxies and other providers.
const elsewhere =
  /:\w+$|\/(?:chat\/completions|completions|responses|embeddings|messages|interactions|moderations|images\/\w+|audio\/\w+)$/;

const reasons: [RegExp, string][] = [
  [/\/interactions\//, 'which names a stored interaction'],
  [/\/openai\/|\/(?:chat\/completions|completions|responses)$/, 'which is an OpenAI API'],
  [/^\/upload\//, 'which uploads a file'],
];

/**
 * Returns why the body of a request to this address is not checked; undefined if it may be one of generateContent.
 * An address with variables may be any.
 */
function otherCall(url: string, sender: string): string | undefined {
  const [, host = '', written = ''] =
    /^(?:https?:\/\/)?([\w.-]+(?::\d+)?)(\/[^?#]*)?/i.exec(url) ?? [];
  const path = written.replace(/\/+$/, '');
  if (/[${}<>%`]/.test(host + path) || checked.test(path)) return undefined;
  const isGoogle = /(?:^|[.-])(?:generativelanguage|aiplatform)\.googleapis\.com$/i.test(host);
  if (!(isGoogle ? /\/[^/]+\/[^/]+/ : elsewhere).test(path)) return undefined;
  const [, reason = 'which takes another body than generateContent'] =
    reasons.find(([form]) => form.test(path)) ?? [];
  return `${sender} calls ${path}, ${reason}, so it is not checked.`;
}

// A name with a variable that the text does not set is no name.
function targetOf({ method: _, model, ...target }: ApiCall): Omit<ApiCall, 'method'> {
  return model === undefined || /[${}<>%]/.test(model) ? target : { model, ...target };
}

/** What an address and a body say about a request. */
export interface Call extends Pick<Request, 'kind' | 'model' | 'backend' | 'api' | 'apiVersion'> {
  /** Why the body is not checked, in a sentence about `sender`. */
  other?: string;
}

/** Returns what the address of a request, and its body, say about it. */
export function callOf(address: string, body: string, sender: string): Call {
  const call = apiCallOf(address);
  const other = call ? undefined : otherCall(address, sender);
  return {
    ...describeText(body),
    ...(call && targetOf(call)),
    kind: call?.method === 'cachedContents' ? 'cache' : 'generate',
    ...(other === undefined ? {} : { other }),
  };
}
