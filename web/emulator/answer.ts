// Writes answers: words, functionCalls that fit their declarations, and what follows from results.
import { isObject, objectField, textField, type SeededRandom } from './wire.js';
import { bestMatch, subjectProperty } from './schema.js';
import { textOf, type Declaration, type Prompt, type Content } from './request-fields.js';
import { SchemaFiller } from './filler.js';
import type { JsonObject } from './types.js';
import { readValues, type Values } from './values.js';
import type { Json } from '../sdk/types/json.js';
import { sign } from './signatures.js';

const maxLength = 48;

/** Returns `text` or its beginning. Surrogate pairs are not split. */
export function quote(text: string): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

const maxCalls = 4;

/** The value of one `functionCall`. */
export interface Call {
  [key: string]: string | JsonObject;
  name: string;
  args: JsonObject;
}

/** Returns the calls that the user's text asks for: one per value that it names, at most `maxCalls`. */
function chooseCalls(prompt: Prompt, text: string, today: string, random: SeededRandom): Call[] {
  const matching = bestMatch(prompt.callable, text);
  const chosen = matching ?? (prompt.mustCall ? prompt.callable[0] : undefined);
  if (!chosen) return [];
  const calls = valuesPerCall(chosen, readValues(text)).map((values) =>
    buildCall(chosen, values, today),
  );
  return prompt.generation >= 3 ? calls.map((call) => ({ id: random.id(8), ...call })) : calls;
}

/** Returns one set of values per call: "in Paris and Rome" yields two if the function takes one name. */
function valuesPerCall(declaration: Declaration, values: Values): Values[] {
  const [first, ...rest] = values.groups;
  if (!first || first.length < 2 || !subjectProperty(declaration.parameters)) return [values];
  return first.slice(0, maxCalls).map((name) => ({ ...values, groups: [[name], ...rest] }));
}

function buildCall({ name, parameters }: Declaration, values: Values, today: string): Call {
  return { name, args: new SchemaFiller(parameters, values, today).object(parameters) };
}

const maxValues = 12;

/** Returns the functionResponses of the last Content. */
function pendingResults(prompt: Prompt): JsonObject[] {
  const last = prompt.contents.at(-1);
  if (!last || last.role === 'model') return [];
  return last.parts.map((part) => objectField(part, 'functionResponse')).filter(isObject);
}

/** Returns one sentence per result, with the arguments of the call it answers. */
function describeResults(prompt: Prompt, results: JsonObject[]): string {
  const calls = callsOf(prompt.contents.at(-2));
  return results
    .map((result, index) => describeResult(result, findCall(calls, result, index)))
    .join(' ');
}

function callsOf(content: Content | undefined): JsonObject[] {
  const parts = content?.parts ?? [];
  return parts.map((part) => objectField(part, 'functionCall')).filter(isObject);
}

function findCall(calls: JsonObject[], result: JsonObject, index: number): JsonObject | undefined {
  const id = textField(result, 'id');
  return calls.find((call) => id !== undefined && textField(call, 'id') === id) ?? calls[index];
}

function describeResult(result: JsonObject, call: JsonObject | undefined): string {
  const name = textField(result, 'name') ?? 'the tool';
  const args = listValues(objectField(call, 'args') ?? {}, false);
  const about = args === '' ? '' : ` for ${args}`;
  const response = objectField(result, 'response') ?? {};
  const error = response['error'];
  if (error !== undefined) return `${name}${about} failed: ${listValues({ error }, false)}.`;
  const values = listValues(
    response['output'] ?? response['result'] ?? response['content'] ?? response,
    true,
  );
  return `${name}${about} answered ${values === '' ? 'with nothing' : values}.`;
}

/** Lists the leaves of a value: "temperature 18, sky clear" or, without names, "Paris, celsius". */
function listValues(value: Json, named: boolean): string {
  const leaves: string[] = [];
  collect(value, '', named, leaves);
  const shown = leaves.slice(0, maxValues).join(', ');
  return leaves.length > maxValues ? `${shown} and more` : shown;
}

function collect(value: Json, name: string, named: boolean, leaves: string[]): void {
  if (leaves.length > maxValues) return;
  if (Array.isArray(value)) {
    for (const entry of value) collect(entry, name, named, leaves);
  } else if (isObject(value)) {
    for (const [key, entry] of Object.entries(value)) collect(entry, key, named, leaves);
  } else {
    const short = quote(String(value));
    leaves.push(named && name !== '' ? `${name.replaceAll('_', ' ')} ${short}` : short);
  }
}

/** Returns the answer if no tool matches: the emulator, the question and the layers of the request. */
export function describeRequest(
  prompt: Prompt,
  systemTokens: number,
  random: SeededRandom,
): string {
  const opening = random.pick([
    'This is the emulator of prompt-strata, not Gemini: it works offline and by fixed rules.',
    'You are talking to the emulator of prompt-strata, not to Gemini. It is offline and has no model inside.',
    'Hello from the emulator of prompt-strata. Gemini itself was not asked; this text is made by rules.',
  ]);
  const closing =
    prompt.callable.length > 0
      ? `Ask for what ${listNames(prompt.callable)} can do, and the call will be made.`
      : 'Declare a tool to see calls and signatures, or use an API key to ask Gemini itself.';
  return [opening, describeQuestion(prompt), describeLayers(prompt, systemTokens), closing].join(
    ' ',
  );
}

/** Appended to a text about the results of tools. */
const emulatedNote = 'This was put together by the emulator of prompt-strata, not by Gemini.';

function describeQuestion(prompt: Prompt): string {
  const last = prompt.contents.at(-1);
  const text = textOf(last).replace(/\s+/g, ' ').trim();
  const media = last?.parts.filter(isMedia).length ?? 0;
  const attached = media === 0 ? '' : ` and attached ${count(media, 'file')}`;
  return text === '' ? `You wrote no text${attached}.` : `You wrote “${quote(text)}”${attached}.`;
}

/** Describes the layers that can be recognized in the request. */
function describeLayers(prompt: Prompt, systemTokens: number): string {
  const before = prompt.contents.slice(0, -1);
  const dynamic = before.filter(isDynamic).length;
  const system =
    systemTokens === 0
      ? 'no system instruction'
      : `a system instruction of about ${count(systemTokens, 'token')}`;
  const context = dynamic === 0 ? '' : 'a dynamic layer, ';
  const turns = count(before.length - dynamic, 'earlier turn');
  const tools = count(prompt.callable.length, 'tool');
  return `The request held ${system}, ${context}${turns} and ${tools}.`;
}

/** Whether a Content looks like the dynamic layer: a user Content with a single JSON object as text. */
function isDynamic(content: Content): boolean {
  const [part, ...others] = content.parts;
  const text = textField(part, 'text')?.trim();
  if (content.role !== 'user' || others.length > 0 || !text?.startsWith('{')) return false;
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function isMedia(part: object): boolean {
  return ['inlineData', 'inline_data', 'fileData', 'file_data'].some((kind) => kind in part);
}

/** Returns the text of a thought Part. */
function writeThought(prompt: Prompt, calls: Call[], results: number): string {
  const reading = `Reading the request: ${count(prompt.contents.length, 'turn')}, ${count(prompt.callable.length, 'tool')}.`;
  if (results > 0)
    return `${reading} The tools have answered, so I can put their results together.`;
  if (calls.length === 0) return `${reading} No tool is needed, so I answer in words.`;
  return `${reading} ${listNames(calls)} fits what was asked, so I call it.`;
}

function listNames(named: { name: string }[]): string {
  const names = [...new Set(named.map(({ name }) => name))];
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown} or others` : shown.replace(/, ([^,]*)$/, ' or $1');
}

function count(number: number, thing: string): string {
  return `${number === 0 ? 'no' : number} ${thing}${number === 1 ? '' : 's'}`;
}

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
