// Checks the generation config, and the enums of a request.
import type { Backend } from '../sdk/types/model.js';
import { invalidArgument } from './errors.js';
import type { JsonObject } from './types.js';
import { field, objectField, objectsField, isObject, numberField } from './wire.js';

interface Enum {
  /** The name behind that of the service's package. */
  type: string;
  values: readonly string[];
}

const withPrefix = (prefix: string, words: string) =>
  words.split(' ').map((word) => `${prefix}${word}`);

const modality: Enum = {
  type: 'GenerationConfig.Modality',
  values: ['MODALITY_UNSPECIFIED', 'TEXT', 'IMAGE', 'AUDIO', 'VIDEO'],
};
const mediaResolution: Enum = {
  type: 'GenerationConfig.MediaResolution',
  values: withPrefix('MEDIA_RESOLUTION_', 'UNSPECIFIED LOW MEDIUM HIGH ULTRA_HIGH'),
};
const thinkingLevel: Enum = {
  type: 'ThinkingConfig.ThinkingLevel',
  values: ['THINKING_LEVEL_UNSPECIFIED', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH', 'XHIGH'],
};
const categoriesOf = (words: string): Enum => ({
  type: 'HarmCategory',
  values: withPrefix(
    'HARM_CATEGORY_',
    `UNSPECIFIED HARASSMENT HATE_SPEECH SEXUALLY_EXPLICIT DANGEROUS_CONTENT CIVIC_INTEGRITY ${words}`,
  ),
});
// The Gemini API still knows the words of PaLM, and refuses them later, as `lint` does.
const category: Readonly<Record<Backend, Enum>> = {
  gemini: categoriesOf('DEROGATORY TOXICITY VIOLENCE SEXUAL MEDICAL DANGEROUS'),
  vertex: categoriesOf(
    'JAILBREAK IMAGE_HATE IMAGE_DANGEROUS_CONTENT IMAGE_HARASSMENT IMAGE_SEXUALLY_EXPLICIT',
  ),
};
const threshold: Enum = {
  type: 'SafetySetting.HarmBlockThreshold',
  values: [
    'HARM_BLOCK_THRESHOLD_UNSPECIFIED',
    ...withPrefix('BLOCK_', 'LOW_AND_ABOVE MEDIUM_AND_ABOVE ONLY_HIGH NONE'),
    'OFF',
  ],
};
const mode: Enum = {
  type: 'FunctionCallingConfig.Mode',
  values: ['MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED'],
};

// A single value counts as a list of one.
const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

type Word = [value: unknown, known: Enum, path: string];

function wordsOfConfig(config: JsonObject | undefined): Word[] {
  const at = 'generation_config';
  const modalities = listOf(field(config, 'responseModalities'));
  const level = field(objectField(config, 'thinkingConfig'), 'thinkingLevel');
  return [
    ...modalities.map((word, i): Word => [word, modality, `${at}.response_modalities[${i}]`]),
    [field(config, 'mediaResolution'), mediaResolution, `${at}.media_resolution`],
    [level, thinkingLevel, `${at}.thinking_config.thinking_level`],
  ];
}

function wordsOfSafety(body: JsonObject, backend: Backend): Word[] {
  return objectsField(body, 'safetySettings').flatMap((setting, i): Word[] => [
    [field(setting, 'category'), category[backend], `safety_settings[${i}].category`],
    [field(setting, 'threshold'), threshold, `safety_settings[${i}].threshold`],
  ]);
}

/**
 * Checks the words of a request that name a value of an enum.
 *
 * @throws Failure
 */
export function checkEnums(body: JsonObject, backend: Backend): void {
  const calling = objectField(objectField(body, 'toolConfig'), 'functionCallingConfig');
  const words: Word[] = [
    ...wordsOfConfig(objectField(body, 'generationConfig')),
    ...wordsOfSafety(body, backend),
    [field(calling, 'mode'), mode, 'tool_config.function_calling_config.mode'],
  ];
  for (const [value, known, path] of words) checkWord(value, known, path, backend);
}

function checkWord(value: unknown, known: Enum, path: string, backend: Backend): void {
  // An enum may be its number.
  if (value === undefined || value === null || typeof value === 'number') return;
  if (typeof value === 'string' && known.values.includes(value.toUpperCase())) return;
  const service =
    backend === 'gemini' ? 'google.ai.generativelanguage.v1beta' : 'google.cloud.aiplatform.v1';
  throw invalidArgument(
    `Invalid value at '${path}' (type.googleapis.com/${service}.${known.type}), ${JSON.stringify(value)}`,
  );
}

const int32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };

/** The scalar fields, by their ProtoJSON type. */
const scalars: readonly [name: string, type: 'FLOAT' | 'INT32' | 'BOOL' | 'STRING'][] = [
  ['temperature', 'FLOAT'],
  ['topP', 'FLOAT'],
  ['presencePenalty', 'FLOAT'],
  ['frequencyPenalty', 'FLOAT'],
  ['candidateCount', 'INT32'],
  ['maxOutputTokens', 'INT32'],
  ['seed', 'INT32'],
  ['logprobs', 'INT32'],
  ['responseLogprobs', 'BOOL'],
  ['responseMimeType', 'STRING'],
];

const mimeTypes = [
  'text/plain',
  'application/json',
  'application/xml',
  'application/yaml',
  'text/x.enum',
];

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Checks the types of the scalar fields, and on the Gemini API the MIME type.
 *
 * @throws Failure
 */
export function checkGenerationConfig(body: JsonObject, backend: Backend): void {
  const config = objectField(body, 'generationConfig');
  if (!config) return;
  for (const [name, type] of scalars) checkScalar(config, name, type);
  if (backend === 'gemini') checkMimeType(config);
}

function checkScalar(config: JsonObject, name: string, type: string): void {
  const value = field(config, name);
  if (value === undefined || value === null || isOfType(value, type)) return;
  const path = `generation_config.${snakeCase(name)}`;
  if (Array.isArray(value) || isObject(value)) {
    const message = Array.isArray(value)
      ? 'Proto field is not repeating, cannot start list.'
      : `Starting an object on a scalar field.`;
    throw invalidArgument(
      `Invalid JSON payload received. Unknown name "${name}" at 'generation_config': ${message}`,
    );
  }
  throw invalidArgument(`Invalid value at '${path}' (TYPE_${type}), ${JSON.stringify(value)}`);
}

// ProtoJSON takes numbers as strings too.
function isOfType(value: unknown, type: string): boolean {
  if (type === 'BOOL') return typeof value === 'boolean';
  if (type === 'STRING') return typeof value === 'string';
  const number = numberField({ value }, 'value');
  if (number === undefined || type === 'FLOAT') return number !== undefined;
  return Number.isInteger(number) && number >= int32.min && number <= int32.max;
}

function checkMimeType(config: JsonObject): void {
  const mimeType = field(config, 'responseMimeType') ?? '';
  if (mimeType === '' || mimeTypes.some((known) => known === mimeType)) return;
  const named = mimeTypes.map((known) => `\`${known}\``);
  const allowed = `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
  throw invalidArgument(
    `* GenerateContentRequest.generation_config.response_mime_type: allowed mimetypes are ${allowed}.`,
  );
}
