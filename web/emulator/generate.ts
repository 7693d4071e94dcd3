// Serves generateContent and streamGenerateContent: from the request body to the JSON texts of the response.
import type { GenerateContentRequest } from '../sdk/types/gemini/request.js';
import type { Part } from '../sdk/types/gemini/contents.js';
import { answer, type Answer } from './answer.js';
import type { Cache } from './caches.js';
import { fullResponse, streamResponses, type ResponseInfo } from './chunks.js';
import { scriptedAnswer } from './check-options.js';
import type { Context } from './context.js';
import { Failure } from './errors.js';
import { applyAnswerFault, truncateAnswer } from './faults.js';
import { SeededRandom } from './hash.js';
import { readPrompt } from './prompt.js';
import { checkModel, checkRequest, findCache } from './requests.js';
import type { Route } from '../server/match-route.js';
import { mergeChunks } from './recorded.js';
import { Meter } from './tokens.js';
import type { Fault, JsonObject, ScriptedAnswer } from './types.js';

/** A generation request with its parsed body. */
export interface Generation {
  route: Route & { kind: 'generate' };
  bytes: Uint8Array;
  body: JsonObject;
  /** The number of this generation request, from 1. */
  index: number;
  fault: Fault | undefined;
}

/**
 * Returns the JSON texts of the response: one, or the chunks of a stream.
 *
 * @throws Failure; StrataError `field.invalid` if `respond` throws or returns no answer
 */
export async function generate(context: Context, generation: Generation): Promise<string[]> {
  const { route, bytes, body, index } = generation;
  const { model, stream, place } = route;
  checkModel(context, model, place, stream ? 'streamGenerateContent' : 'generateContent');
  const cache = findCache(context, body);
  checkRequest(context, model, { source: bytes.length === 0 ? body : bytes, body, cache });
  // checkRequest has judged it.
  const valid = body as JsonObject & GenerateContentRequest;
  const scripted = await scriptedAnswer(context.options, { model, stream, index, body: valid });
  if (scripted && 'error' in scripted) {
    const { code, status, message, details } = scripted.error;
    throw new Failure(code, status, message, details);
  }
  if (scripted && 'chunks' in scripted) return recordedTexts(scripted.chunks, stream);
  return compose(context, generation, cache, scripted);
}

function recordedTexts(chunks: readonly (string | object)[], stream: boolean): string[] {
  const texts = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : JSON.stringify(chunk)));
  return stream ? texts : [mergeChunks(texts)];
}

function compose(
  context: Context,
  { route, body, fault }: Generation,
  cache: Cache | undefined,
  scripted: Extract<ScriptedAnswer, { parts: unknown }> | undefined,
): string[] {
  const { model } = route;
  const prompt = readPrompt(model, body, cache?.body);
  const meter = new Meter(context.strata, model);
  const random = new SeededRandom(
    JSON.stringify([context.seed, model, prompt.system, prompt.contents]),
  );
  const responseId = random.id(22);
  const today = new Date(context.now()).toISOString().slice(0, 10);
  const full = scripted
    ? {
        thought: '',
        finishReason: 'STOP',
        ...scripted,
        parts: scripted.parts as (Part & JsonObject)[],
      }
    : answer(prompt, meter.system(cache?.body ?? body), today, random);
  const sent = applyAnswerFault(capTokens(full, meter, prompt.maxOutputTokens), fault);
  const cachedTokens = cache?.tokens ?? 0;
  const promptTokens = meter.input(body) + cachedTokens;
  const { includeThoughts } = prompt;
  const info: ResponseInfo = {
    model,
    responseId,
    promptTokens,
    cachedTokens,
    includeThoughts,
    meter,
  };
  // As from Google: a whole response is indented, a chunk is a single line.
  return route.stream
    ? streamResponses(sent, info, random).map((chunk) => JSON.stringify(chunk))
    : [JSON.stringify(fullResponse(sent, info), null, 2) + '\n'];
}

/** Truncates the answer to `maxTokens`, which includes the tokens of the thought. */
function capTokens(full: Answer, meter: Meter, maxTokens: number): Answer {
  const thoughtTokens = meter.text(full.thought);
  const available = maxTokens - thoughtTokens;
  const tokens = meter.output(full.parts);
  if (tokens <= available) return full;
  const truncated = truncateAnswer(full, Math.max(0, available) / tokens, 'MAX_TOKENS');
  if (available >= 0) return truncated;
  const characters = [...full.thought];
  const length = Math.floor((characters.length * maxTokens) / thoughtTokens);
  return { ...truncated, thought: characters.slice(0, length).join('') };
}
