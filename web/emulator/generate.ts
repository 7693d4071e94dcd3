// Answers generateContent, streamGenerateContent and countTokens.
import type { JsonObject, Fault, ScriptedAnswer } from './types.js';
import { isObject, objectField, objectsField, SeededRandom, field } from './wire.js';
import type { GenerateContentRequest } from '../sdk/types/gemini/request.js';
import type { Part } from '../sdk/types/gemini/contents.js';
import { answer, type Answer } from './answer.js';
import type { Cache, Context } from './stores.js';
import { fullResponse, streamResponses, type ResponseInfo } from './chunks.js';
import { scriptedAnswer } from './check-options.js';
import { Failure, invalidArgument, unknownField } from './errors.js';
import { applyAnswerFault, truncateAnswer } from './faults.js';
import { readPrompt, modelOf } from './request-fields.js';
import { checkModel, checkRequest, findCache } from './requests.js';
import type { Route } from '../server/match-route.js';
import { Meter, tokenCount } from './tokens.js';
import type { Backend } from '../sdk/types/model.js';

/** Returns one response with the Parts of all chunks. A single chunk is returned unchanged. */
function mergeChunks(texts: string[]): string {
  if (texts.length === 1 && texts[0] !== undefined) return texts[0];
  const chunks = texts.map((text): unknown => JSON.parse(text)).filter(isObject);
  const parts = chunks.flatMap((chunk) => objectsField(contentOf(chunk), 'parts'));
  const candidates = chunks.map((chunk) => objectsField(chunk, 'candidates')[0] ?? {});
  const candidate = { ...Object.assign({}, ...candidates), content: { parts, role: 'model' } };
  const usages = chunks.flatMap((chunk) => objectField(chunk, 'usageMetadata') ?? []);
  return JSON.stringify({
    ...Object.assign({}, ...chunks),
    candidates: [candidate],
    ...(usages.length > 0 && { usageMetadata: Object.assign({}, ...usages) }),
  });
}

function contentOf(chunk: JsonObject): JsonObject | undefined {
  return objectField(objectsField(chunk, 'candidates')[0], 'content');
}

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
  const { route, bytes, body } = generation;
  const { model, stream, place } = route;
  checkModel(context, model, place, stream ? 'streamGenerateContent' : 'generateContent');
  const cache = findCache(context, body);
  checkRequest(context, model, { source: bytes.length === 0 ? body : bytes, body, cache });
  return answerTexts(context, generation, cache);
}

/**
 * Returns the JSON texts of the answer to a valid request: one, or the chunks of a stream with `inChunks`.
 *
 * @throws Failure; StrataError `field.invalid` if `respond` throws or returns no answer
 */
export async function answerTexts(
  context: Context,
  generation: Omit<Generation, 'bytes' | 'route'> & { route: { model: string; stream: boolean } },
  cache?: Cache,
  inChunks = generation.route.stream,
): Promise<string[]> {
  const { route, index } = generation;
  const body = generation.body as JsonObject & GenerateContentRequest;
  const scripted = await scriptedAnswer(context.options, { ...route, index, body });
  if (scripted && 'error' in scripted) {
    const { code, status, message, details } = scripted.error;
    throw new Failure(code, status, message, details);
  }
  if (scripted && 'chunks' in scripted) return recordedTexts(scripted.chunks, inChunks);
  return compose(context, generation, cache, { scripted, inChunks });
}

function recordedTexts(chunks: readonly (string | object)[], stream: boolean): string[] {
  const texts = chunks.map((chunk) => (typeof chunk === 'string' ? chunk : JSON.stringify(chunk)));
  return stream ? texts : [mergeChunks(texts)];
}

function compose(
  context: Context,
  { route: { model }, body, fault }: Parameters<typeof answerTexts>[1],
  cache: Cache | undefined,
  form: { scripted: Extract<ScriptedAnswer, { parts: unknown }> | undefined; inChunks: boolean },
): string[] {
  const { scripted, inChunks } = form;
  const prompt = readPrompt(model, body, cache?.body);
  const meter = new Meter(context.checker, model);
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
  return inChunks
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

/**
 * Counts the tokens of `contents` or of a whole `generateContentRequest`.
 *
 * @throws Failure
 */
export function countTokens(
  context: Context,
  { model, place }: Route & { kind: 'countTokens' },
  body: JsonObject,
): JsonObject {
  checkModel(context, model, place, 'countTokens');
  if (context.options.unknownFields !== 'accept') checkFields(body, place.backend);
  const nested = objectField(body, 'generateContentRequest');
  if (nested && field(body, 'contents') !== undefined) {
    throw invalidArgument('Only one of contents and generate_content_request can be set.');
  }
  if (nested && modelOf(nested) !== model) {
    throw invalidArgument(
      '* CountTokensRequest.generate_content_request.model: unexpected model name format',
    );
  }
  // Only countTokens of Vertex AI has this field.
  const { instances: _, ...whole } = body;
  const request = nested ?? whole;
  const cache = findCache(context, request);
  checkRequest(context, model, { source: request, body: request, cache }, true);
  const cached = cache?.tokens ?? 0;
  return tokenCount(new Meter(context.checker, model).input(request) + cached, cached);
}

// The fields of each service's message.
const fields = {
  gemini: /^(?:model|contents|generateContentRequest|generate_content_request)$/,
  vertex:
    /^(?:model|instances|contents|systemInstruction|system_instruction|tools|generationConfig|generation_config)$/,
};

function checkFields(body: JsonObject, backend: Backend): void {
  const unknown = Object.keys(body).find((name) => !fields[backend].test(name));
  if (unknown !== undefined) throw unknownField(unknown, '');
}
