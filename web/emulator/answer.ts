// Composes the answer to a request: function calls, a JSON value, or text.
import { chooseCalls, type Call } from './calls.js';
import type { SeededRandom } from './hash.js';
import { textOf, type Prompt } from './prompt.js';
import { quote } from './quote.js';
import { describeResults, pendingResults } from './results.js';
import { SchemaFiller } from './filler.js';
import { sign } from './signatures.js';
import type { JsonObject } from './types.js';
import { readValues } from './values.js';
import { textField } from './wire.js';
import { describeRequest, emulatedNote, writeThought } from './words.js';

/** An answer before its tokens are counted and it is split into chunks. */
export interface Answer {
  /** Sent only with `includeThoughts`; its tokens are always counted. */
  thought: string;
  /** The signature of the thought. Gemini 2.5 signs the first Part of an answer with functionCalls. */
  thoughtSignature?: string;
  /** Text and functionCalls; the calls carry signatures as those of the API do. */
  parts: JsonObject[];
  /** The signature of a text answer: on a separate empty Part in a stream, else on the last Part. */
  signature?: string;
  finishReason: string;
  finishMessage?: string;
  /** Set if the prompt was blocked; the response then has no candidate. */
  blockReason?: string;
}

/**
 * Returns the answer to a prompt. It depends on the arguments only; `systemTokens` is quoted in the text.
 */
export function answer(
  prompt: Prompt,
  systemTokens: number,
  today: string,
  random: SeededRandom,
): Answer {
  const results = pendingResults(prompt);
  const lastText = textOf(prompt.contents.at(-1));
  const calls = results.length > 0 ? [] : chooseCalls(prompt, lastText, today, random);
  const thought = prompt.thinks ? writeThought(prompt, calls, results.length) : '';
  if (calls.length > 0) return answerCalls(prompt, calls, thought, random);
  const text =
    results.length > 0 && !prompt.jsonSchema
      ? `${describeResults(prompt, results)} ${emulatedNote}`
      : (jsonAnswer(prompt, lastText, today) ?? describeRequest(prompt, systemTokens, random));
  return applyStopSequences(prompt, {
    thought,
    parts: [{ text }],
    ...(prompt.generation >= 3 && prompt.thinks && { signature: sign(random) }),
    finishReason: 'STOP',
  });
}

/** Only the first of several parallel calls carries a signature. */
function answerCalls(prompt: Prompt, calls: Call[], thought: string, random: SeededRandom): Answer {
  const thoughtSignature = prompt.generation >= 3 || prompt.thinks ? sign(random) : undefined;
  const onThought = prompt.generation < 3 && prompt.includeThoughts && prompt.thinks;
  const signature = thoughtSignature !== undefined && { thoughtSignature };
  const parts = calls.map((functionCall, index): JsonObject => {
    return { functionCall, ...(index === 0 && !onThought && signature) };
  });
  const finishMessage = 'Model generated function call(s).';
  return { thought, ...(onThought && signature), parts, finishReason: 'STOP', finishMessage };
}

function jsonAnswer(prompt: Prompt, lastText: string, today: string): string | undefined {
  const schema = prompt.jsonSchema;
  if (!schema) return undefined;
  const question = lastText || lastQuestion(prompt);
  if (Object.keys(schema).length === 0) {
    return JSON.stringify({
      answered_by: 'the emulator of prompt-strata',
      question: quote(question),
    });
  }
  const value = new SchemaFiller(schema, readValues(question), today).fill(schema, 'answer');
  return typeof value === 'string' && schema['enum'] ? value : JSON.stringify(value);
}

/** Returns the newest text of the user. Used if the request ends with functionResponses. */
function lastQuestion({ contents }: Prompt): string {
  return textOf(contents.findLast((content) => content.role !== 'model' && textOf(content) !== ''));
}

/** Truncates the text at the first stop sequence. */
function applyStopSequences(prompt: Prompt, full: Answer): Answer {
  const text = textField(full.parts[0], 'text') ?? '';
  const stops = prompt.stopSequences.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  if (stops.length === 0) return full;
  const kept = text.slice(0, Math.min(...stops));
  return { ...full, parts: kept === '' ? [] : [{ text: kept }] };
}
