// Turns an answer into GenerateContentResponses: one, or the chunks of a stream.
import type { Answer } from './answer.js';
import { textField, type SeededRandom } from './wire.js';
import { usageMetadata, type Meter } from './tokens.js';
import type { JsonObject } from './types.js';

const maxThoughtChunk = 90;

/** What all chunks of one answer have in common. */
export interface ResponseInfo {
  model: string;
  responseId: string;
  promptTokens: number;
  cachedTokens: number;
  includeThoughts: boolean;
  meter: Meter;
}

/** Returns the response of generateContent. The signature of a text answer is on the last Part. */
export function fullResponse(answer: Answer, info: ResponseInfo): JsonObject {
  if (answer.blockReason !== undefined) return blocked(answer.blockReason, info);
  const parts = [...thoughtParts(answer, info), ...answer.parts];
  const last = parts.pop();
  if (last) parts.push({ ...last, ...signatureField(answer) });
  return response(answer, info, parts, answer.parts, true);
}

/** Returns the chunks of streamGenerateContent: pieces of text, whole calls, and a final chunk. */
export function streamResponses(
  answer: Answer,
  info: ResponseInfo,
  random: SeededRandom,
): JsonObject[] {
  if (answer.blockReason !== undefined) return [blocked(answer.blockReason, info)];
  const pieces = [
    ...thoughtParts(answer, info).flatMap(splitThought),
    ...answer.parts.flatMap((part) => splitPart(part, random)),
  ];
  // A signature arrives in a Part of its own. Without one, the last Part ends the answer: no Part is empty.
  const hasOwnPart = answer.signature !== undefined && answer.parts.length > 0;
  const ending = hasOwnPart ? [{ text: '', ...signatureField(answer) }] : pieces.splice(-1);
  const sent: JsonObject[] = [];
  const chunkOf = (parts: JsonObject[], isLast: boolean) => {
    sent.push(...parts.filter((part) => part['thought'] !== true));
    return response(answer, info, parts, sent, isLast);
  };
  return [...pieces.map((part) => chunkOf([part], false)), chunkOf(ending, true)];
}

function signatureField({ signature }: Answer): JsonObject {
  return signature === undefined ? {} : { thoughtSignature: signature };
}

function thoughtParts({ thought, thoughtSignature }: Answer, info: ResponseInfo): JsonObject[] {
  if (!info.includeThoughts || thought === '') return [];
  return [
    { text: thought, thought: true, ...(thoughtSignature !== undefined && { thoughtSignature }) },
  ];
}

function response(
  answer: Answer,
  info: ResponseInfo,
  parts: JsonObject[],
  sent: JsonObject[],
  last: boolean,
): JsonObject {
  const { finishReason, finishMessage, thought } = answer;
  const content = { ...(parts.length > 0 && { parts }), role: 'model' };
  const finish = last && { finishReason };
  const message = last && finishMessage !== undefined && { finishMessage };
  return {
    candidates: [{ content, ...finish, index: 0, ...message }],
    ...metadata(info, info.meter.output(sent), info.meter.text(thought)),
  };
}

function blocked(blockReason: string, info: ResponseInfo): JsonObject {
  return { promptFeedback: { blockReason }, ...metadata(info, 0, 0) };
}

function metadata(info: ResponseInfo, candidates: number, thoughts: number): JsonObject {
  const { model, responseId, promptTokens: prompt, cachedTokens: cached } = info;
  const usage = usageMetadata({ prompt, cached, candidates, thoughts });
  return { usageMetadata: usage, modelVersion: model, responseId };
}

/** Splits text between code points into pieces of varying length. Other Parts stay whole. */
export function splitPart(part: JsonObject, random: SeededRandom): JsonObject[] {
  const { text, ...others } = part;
  if (typeof text !== 'string' || Object.keys(others).length > 0) return [part];
  const characters = [...text];
  const pieces: JsonObject[] = [];
  while (characters.length > 0) {
    pieces.push({ text: characters.splice(0, 12 + random.below(40)).join('') });
  }
  return pieces;
}

/** Splits a thought into pieces. A signature stays on the last one. */
function splitThought(part: JsonObject): JsonObject[] {
  const characters = [...(textField(part, 'text') ?? '')];
  const pieces: JsonObject[] = [];
  while (characters.length > maxThoughtChunk) {
    pieces.push({ text: characters.splice(0, maxThoughtChunk).join(''), thought: true });
  }
  return [...pieces, { ...part, text: characters.join('') }];
}
