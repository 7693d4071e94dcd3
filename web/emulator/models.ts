// Lists the models that the emulator serves, and derives properties of a model from its ID and the catalogue.
import type { Diagnostic } from '../sdk/types/diagnostic.js';
import type { ModelLimits } from '../sdk/types/model.js';
import type { Context } from './stores.js';
import { pageOf } from './wire.js';
import type { Place } from '../server/match-route.js';
import type { JsonObject } from './types.js';

const listedIds = [
  'gemini-4-neon',
  'gemini-4-hydrogen',
  'gemini-4-carbon',
  'gemini-4-argon',
  'gemini-3.8-flash',
  'gemini-3.7-flash',
  'gemini-3.6-flash',
  'gemini-3.5-flash-lite',
  'gemini-3.5-flash',
  'gemini-3.1-pro-preview',
  'gemini-3.1-flash-lite',
  'gemini-3-flash-preview',
  'gemini-2.5-pro',
  'gemini-2.5-flash',
  'gemini-2.5-flash-lite',
  'gemini-embedding-2',
  'gemini-embedding-001',
];
const pageSizes = { default: 50, max: 1000 };

function limitsOf({ checker, service }: Context, id: string): ModelLimits {
  return checker.modelLimits(id, service);
}

/** Returns one page of `GET models`, newest models first. */
export function listModels(context: Context, place: Place, query: URLSearchParams): JsonObject {
  const { entries, next } = pageOf(listedIds, query, pageSizes);
  const models = entries.map((id) => describeModel(context, place, id));
  return { [place.backend === 'vertex' ? 'publisherModels' : 'models']: models, ...next };
}

/** Returns the answer of `GET models/{id}` for any ID. IDs that are not listed are served like their family. */
export function describeModel(context: Context, place: Place, id: string): JsonObject {
  if (place.backend === 'vertex') return publisherModel(id);
  const { contextTokens, outputTokens, thinkingLevels } = limitsOf(context, id);
  return {
    name: `models/${id}`,
    version: id.replace(/^gemini-/, ''),
    displayName: id.replaceAll('-', ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    description: 'Answered by the emulator of prompt-strata, not by Google.',
    inputTokenLimit: contextTokens,
    outputTokenLimit: outputTokens,
    supportedGenerationMethods: methodsOf(context, id),
    thinking: thinkingLevels.length > 0 || generation(id) === 2,
  };
}

function methodsOf(context: Context, id: string): string[] {
  const { api, explicitCache } = limitsOf(context, id);
  if (api === 'embedContent') return ['embedContent', 'countTokens'];
  if (api === 'live') return ['bidiGenerateContent'];
  if (api === 'interactions') return [];
  const methods = ['generateContent', 'countTokens', 'batchGenerateContent'];
  return explicitCache ? [...methods, 'createCachedContent'] : methods;
}

/** Whether the model is served and has the method, of which the list of a model names the general form. */
export function supports(context: Context, id: string, method: string): boolean {
  if (!isServed(context, id)) return false;
  const { api } = limitsOf(context, id);
  if (method === 'interactions') return api === 'generateContent' || api === 'interactions';
  const isEmbedding = api === 'embedContent';
  if (/^(?:batchEmbedContents|embedContent|predict)$/.test(method)) return isEmbedding;
  return api === 'generateContent' || !/generateContent|createCachedContent/i.test(method);
}

/** Returns what the catalogue knows about a model that is not served. */
export function reasonsNotServed({ checker, service }: Context, id: string): Diagnostic[] {
  const hello = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };
  const { diagnostics } = checker.lint(hello, { ...service, model: id });
  return diagnostics.filter(({ code }) => code.startsWith('model.'));
}

// Vertex AI names no limits.
function publisherModel(id: string): JsonObject {
  return { name: `publishers/google/models/${id}`, versionId: 'default', launchStage: 'GA' };
}

/** Whether the model is served: Gemma, and every `gemini-*` that was not shut down. */
export function isServed(context: Context, id: string): boolean {
  const isModel = /^(gemini|gemma)-[\w.-]+$/.test(id) && id !== 'gemini-pro';
  return isModel && !limitsOf(context, id).retired;
}

/** Returns the number after `gemini-`: Infinity for aliases such as `gemini-flash-latest`, 0 for Gemma. */
export function generation(id: string): number {
  if (!id.startsWith('gemini-')) return 0;
  const digits = /^gemini-(\d+)/.exec(id)?.[1];
  return digits === undefined ? Infinity : Number(digits);
}
