// Refuses words that are no value of an enum, as the API's JSON parser does.
import type { Backend } from '../sdk/types/model.js';
import { invalidArgument } from './errors.js';
import type { JsonObject } from './types.js';
import { field, objectField, objectsField } from './wire.js';

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
