// Why this file exists: an answer becomes GenerateContentResponses: one, or those of a stream.
import type { Answer } from './answer.js';
import type { Dice } from './hash.js';
import { usageMetadata, type Meter } from './tokens.js';
import type { JsonObject } from './types.js';
import { textField } from './wire.js';

const longestThoughtPiece = 90;

/** What every chunk of one answer tells. */
export interface Frame {
  model: string;
  responseId: string;
  promptTokens: number;
  cachedTokens: number;
  includeThoughts: boolean;
  meter: Meter;
}

/** The answer of generateContent. A signature of a text stands on its last part. */
export function wholeResponse(answer: Answer, frame: Frame): JsonObject {
  if (answer.blockReason !== undefined) return blocked(answer.blockReason, frame);
  const parts = [...thoughtParts(answer, frame), ...answer.parts];
  const last = parts.pop();
  if (last) parts.push({ ...last, ...signed(answer) });
  return response(answer, frame, parts, answer.parts, true);
}

/** The chunks of streamGenerateContent: pieces of text, each call whole, and a last one that closes. */
export function streamResponses(answer: Answer, frame: Frame, dice: Dice): JsonObject[] {
  if (answer.blockReason !== undefined) return [blocked(answer.blockReason, frame)];
  const pieces = [
    ...thoughtParts(answer, frame).flatMap(splitThought),
    ...answer.parts.flatMap((part) => splitPart(part, dice)),
  ];
  const sent: JsonObject[] = [];
  const chunks = pieces.map((part) => {
    if (part['thought'] !== true) sent.push(part);
    return response(answer, frame, [part], sent, false);
  });
  const closing = answer.parts.length === 0 ? [] : [{ text: '', ...signed(answer) }];
  return [...chunks, response(answer, frame, closing, sent, true)];
}

function signed({ signature }: Answer): JsonObject {
  return signature === undefined ? {} : { thoughtSignature: signature };
}

function thoughtParts({ thought, thoughtSignature }: Answer, frame: Frame): JsonObject[] {
  if (!frame.includeThoughts || thought === '') return [];
  return [
    { text: thought, thought: true, ...(thoughtSignature !== undefined && { thoughtSignature }) },
  ];
}

function response(
  answer: Answer,
  frame: Frame,
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
    ...tail(frame, frame.meter.output(sent), frame.meter.text(thought)),
  };
}

function blocked(blockReason: string, frame: Frame): JsonObject {
  return { promptFeedback: { blockReason }, ...tail(frame, 0, 0) };
}

function tail(frame: Frame, candidates: number, thoughts: number): JsonObject {
  const { model, responseId, promptTokens: prompt, cachedTokens: cached } = frame;
  const usage = usageMetadata({ prompt, cached, candidates, thoughts });
  return { usageMetadata: usage, modelVersion: model, responseId };
}

/** Text in pieces of uneven length, never inside a code point. All else stays whole. */
function splitPart(part: JsonObject, dice: Dice): JsonObject[] {
  const { text, ...others } = part;
  if (typeof text !== 'string' || Object.keys(others).length > 0) return [part];
  const characters = [...text];
  const pieces: JsonObject[] = [];
  while (characters.length > 0) {
    pieces.push({ text: characters.splice(0, 12 + dice.below(40)).join('') });
  }
  return pieces;
}

/** A signature stays on the last piece. */
function splitThought(part: JsonObject): JsonObject[] {
  const characters = [...(textField(part, 'text') ?? '')];
  const pieces: JsonObject[] = [];
  while (characters.length > longestThoughtPiece) {
    pieces.push({ text: characters.splice(0, longestThoughtPiece).join(''), thought: true });
  }
  return [...pieces, { ...part, text: characters.join('') }];
}
