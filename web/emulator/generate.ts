// Why this file exists: generateContent and its stream, from the body to the texts that are sent.
import { answer, type Answer } from './answer.js';
import type { Cache } from './caches.js';
import { streamResponses, wholeResponse, type Frame } from './chunks.js';
import type { Context } from './context.js';
import { Failure } from './errors.js';
import { cutAnswer, spoilAnswer } from './faults.js';
import { Dice } from './hash.js';
import { readPrompt } from './prompt.js';
import { checkModel, checkRequest, findCache } from './requests.js';
import type { Route } from './routes.js';
import { mergeChunks } from './recorded.js';
import { Meter } from './tokens.js';
import type { Fault, JsonObject, ScriptedAnswer } from './types.js';

/** A request to a model, its body read. */
export interface Generation {
  route: Route & { kind: 'generate' };
  bytes: Uint8Array;
  body: JsonObject;
  /** Among the requests for an answer, from 1. */
  index: number;
  fault: Fault | undefined;
}

/** The JSON texts of the answer: one, or those of a stream. Throws a Failure. */
export async function generate(context: Context, generation: Generation): Promise<string[]> {
  const { route, bytes, body, index } = generation;
  const { model, stream, version } = route;
  checkModel(model, version, stream ? 'streamGenerateContent' : 'generateContent');
  const cache = findCache(context, body);
  checkRequest(context, model, { source: bytes.length === 0 ? body : bytes, body, cache });
  const scripted = await context.options.respond?.({ model, stream, index, body });
  if (scripted && 'error' in scripted) {
    const { code, status, message, details } = scripted.error;
    throw new Failure(code, status, message, details);
  }
  if (scripted && 'chunks' in scripted) return recorded(scripted.chunks, stream);
  return compose(context, generation, cache, scripted);
}

function recorded(chunks: (string | JsonObject)[], stream: boolean): string[] {
  const texts = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : JSON.stringify(chunk)));
  return stream ? texts : [mergeChunks(texts)];
}

function compose(
  context: Context,
  { route, body, fault }: Generation,
  cache: Cache | undefined,
  scripted: Extract<ScriptedAnswer, { parts: JsonObject[] }> | undefined,
): string[] {
  const { model } = route;
  const prompt = readPrompt(model, body, cache?.body);
  const meter = new Meter(context.strata, model);
  const dice = new Dice(JSON.stringify([context.seed, model, prompt.system, prompt.contents]));
  const responseId = dice.id(22);
  const today = new Date(context.now()).toISOString().slice(0, 10);
  const plain = scripted
    ? { thought: '', finishReason: 'STOP', ...scripted }
    : answer(prompt, meter.system(cache?.body ?? body), today, dice);
  const sent = spoilAnswer(capTokens(plain, meter, prompt.maxOutputTokens), fault);
  const cachedTokens = cache?.tokens ?? 0;
  const promptTokens = meter.input(body) + cachedTokens;
  const { includeThoughts } = prompt;
  const frame: Frame = { model, responseId, promptTokens, cachedTokens, includeThoughts, meter };
  // A whole answer is written as Google writes it, in lines; chunks are one line each.
  return route.stream
    ? streamResponses(sent, frame, dice).map((chunk) => JSON.stringify(chunk))
    : [JSON.stringify(wholeResponse(sent, frame), null, 2) + '\n'];
}

/** `maxOutputTokens` covers the thinking too, so that thinking can leave no room for an answer. */
function capTokens(whole: Answer, meter: Meter, most: number): Answer {
  const room = most - meter.text(whole.thought);
  const tokens = meter.output(whole.parts);
  return tokens <= room ? whole : cutAnswer(whole, Math.max(0, room) / tokens, 'MAX_TOKENS');
}
