// Why this file exists: what the emulator answers to a request: calls, a JSON value, or text.
import { chooseCalls, type Call } from './calls.js';
import type { Dice } from './hash.js';
import { textOf, type Prompt } from './prompt.js';
import { quote } from './quote.js';
import { pendingResults, tellResults } from './results.js';
import { SchemaFiller } from './filler.js';
import { sign } from './signatures.js';
import type { JsonObject } from './types.js';
import { readValues } from './values.js';
import { textField } from './wire.js';
import { emulatedNote, tellRequest, tellThought } from './words.js';

/** An answer before it is counted and cut into chunks. */
export interface Answer {
  /** Sent only where `includeThoughts` asks for it, but always counted. */
  thought: string;
  /** Gemini 2.5 signs the first part of an answer with calls, and that may be the thought. */
  thoughtSignature?: string;
  /** Text and calls; calls signed as the API does it. */
  parts: JsonObject[];
  /** Signs an answer in text: a part of its own in a stream, on the last part otherwise. */
  signature?: string;
  finishReason: string;
  finishMessage?: string;
  /** The prompt was blocked: there is no candidate. */
  blockReason?: string;
}

/** Follows from the prompt, the date and the dice alone. `systemTokens` is only told. */
export function answer(prompt: Prompt, systemTokens: number, today: string, dice: Dice): Answer {
  const results = pendingResults(prompt);
  const asked = textOf(prompt.contents.at(-1));
  const calls = results.length > 0 ? [] : chooseCalls(prompt, asked, today, dice);
  const thought = prompt.thinks ? tellThought(prompt, calls, results.length) : '';
  if (calls.length > 0) return answerCalls(prompt, calls, thought, dice);
  const text =
    results.length > 0 && !prompt.jsonSchema
      ? `${tellResults(prompt, results)} ${emulatedNote}`
      : (jsonAnswer(prompt, asked, today) ?? tellRequest(prompt, systemTokens, dice));
  return limit(prompt, {
    thought,
    parts: [{ text }],
    ...(prompt.generation >= 3 && prompt.thinks && { signature: sign(dice) }),
    finishReason: 'STOP',
  });
}

/** Only the first of parallel calls is signed. */
function answerCalls(prompt: Prompt, calls: Call[], thought: string, dice: Dice): Answer {
  const thoughtSignature = prompt.generation >= 3 || prompt.thinks ? sign(dice) : undefined;
  const onThought = prompt.generation < 3 && prompt.includeThoughts && prompt.thinks;
  const signature = thoughtSignature !== undefined && { thoughtSignature };
  const parts = calls.map((functionCall, index): JsonObject => {
    return { functionCall, ...(index === 0 && !onThought && signature) };
  });
  const finishMessage = 'Model generated function call(s).';
  return { thought, ...(onThought && signature), parts, finishReason: 'STOP', finishMessage };
}

function jsonAnswer(prompt: Prompt, asked: string, today: string): string | undefined {
  const schema = prompt.jsonSchema;
  if (!schema) return undefined;
  const question = asked || lastQuestion(prompt);
  if (Object.keys(schema).length === 0) {
    return JSON.stringify({
      answered_by: 'the emulator of prompt-strata',
      question: quote(question),
    });
  }
  const value = new SchemaFiller(schema, readValues(question), today).fill(schema, 'answer');
  return typeof value === 'string' && schema['enum'] ? value : JSON.stringify(value);
}

/** What the user wrote last, where the request ends in results of tools. */
function lastQuestion({ contents }: Prompt): string {
  return textOf(contents.findLast((content) => content.role !== 'model' && textOf(content) !== ''));
}

/** Ends the text where `stopSequences` say. */
function limit(prompt: Prompt, whole: Answer): Answer {
  const text = textField(whole.parts[0], 'text') ?? '';
  const stops = prompt.stopSequences.map((stop) => text.indexOf(stop)).filter((at) => at >= 0);
  return stops.length === 0
    ? whole
    : { ...whole, parts: [{ text: text.slice(0, Math.min(...stops)) }] };
}
