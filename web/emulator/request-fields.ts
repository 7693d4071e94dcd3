// Reads the fields of a request body that the emulator uses.
import { generation } from './models.js';
import type { JsonObject } from './types.js';
import {
  bareModel,
  field,
  isObject,
  numberField,
  objectField,
  objectsField,
  textField,
} from './wire.js';

/** A Content of the request. */
export interface Content {
  role: string;
  parts: JsonObject[];
}

/** A declared function, with the schema of its arguments. */
export interface Declaration {
  name: string;
  description: string;
  parameters: JsonObject;
}

/** A request body, read. */
export interface Prompt {
  model: string;
  /** The model's generation; see `generation`. */
  generation: number;
  system: JsonObject | undefined;
  contents: Content[];
  tools: JsonObject[];
  /** The functions that may be called: none with mode NONE, else those with an allowed name. */
  callable: Declaration[];
  /** Whether a call is required (mode ANY). */
  mustCall: boolean;
  /** The schema of a JSON answer; `{}` if JSON is requested without a schema. */
  jsonSchema: JsonObject | undefined;
  /** Whether the model thinks. Without thinking, text is not signed. */
  thinks: boolean;
  includeThoughts: boolean;
  maxOutputTokens: number;
  stopSequences: string[];
}

/** Reads a body. `prefix` is the content of its CachedContent: system instruction, tools, contents. */
export function readPrompt(model: string, body: JsonObject, prefix?: JsonObject): Prompt {
  const from = prefix ?? body;
  const tools = objectsField(from, 'tools');
  const calling = objectField(objectField(from, 'toolConfig'), 'functionCallingConfig');
  const config = objectField(body, 'generationConfig');
  const thinking = objectField(config, 'thinkingConfig');
  return {
    model,
    generation: generation(model),
    system: readSystem(from),
    contents: [...readContents(prefix), ...readContents(body)],
    tools,
    callable: readCallable(tools, calling),
    mustCall: textField(calling, 'mode')?.toUpperCase() === 'ANY',
    jsonSchema: readJsonSchema(config),
    thinks: thinks(model, thinking),
    includeThoughts: field(thinking, 'includeThoughts') === true,
    maxOutputTokens: numberField(config, 'maxOutputTokens') ?? Infinity,
    stopSequences: strings(field(config, 'stopSequences')),
  };
}

function readSystem(from: JsonObject): JsonObject | undefined {
  const text = textField(from, 'systemInstruction');
  return text === undefined ? objectField(from, 'systemInstruction') : { parts: [{ text }] };
}

/** Returns the Contents of a body; a missing role is `user`. */
export function readContents(from: JsonObject | undefined): Content[] {
  return objectsField(from, 'contents').map((content) => ({
    role: textField(content, 'role') ?? 'user',
    parts: objectsField(content, 'parts'),
  }));
}

function readCallable(tools: JsonObject[], calling: JsonObject | undefined): Declaration[] {
  if (textField(calling, 'mode')?.toUpperCase() === 'NONE') return [];
  const allowed = strings(field(calling, 'allowedFunctionNames'));
  return tools
    .flatMap((tool) => objectsField(tool, 'functionDeclarations'))
    .map(readDeclaration)
    .filter(({ name }) => name !== '' && (allowed.length === 0 || allowed.includes(name)));
}

function readDeclaration(declaration: JsonObject): Declaration {
  return {
    name: textField(declaration, 'name') ?? '',
    description: textField(declaration, 'description') ?? '',
    parameters:
      objectField(declaration, 'parameters') ??
      objectField(declaration, 'parametersJsonSchema') ??
      {},
  };
}

function readJsonSchema(config: JsonObject | undefined): JsonObject | undefined {
  const type = textField(config, 'responseMimeType');
  if (type !== 'application/json' && type !== 'text/x.enum') return undefined;
  const schema = ['responseSchema', 'responseJsonSchema', '_responseJsonSchema'];
  return schema.map((name) => objectField(config, name)).find(isObject) ?? {};
}

function thinks(model: string, thinking: JsonObject | undefined): boolean {
  if (model.startsWith('gemma-')) return false;
  if (textField(thinking, 'thinkingLevel')?.toUpperCase() === 'MINIMAL') return false;
  const budget = numberField(thinking, 'thinkingBudget');
  return budget === undefined ? model !== 'gemini-2.5-flash-lite' : budget !== 0;
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

/** Returns the ID in `cachedContents/{id}` that a body names. */
export function cacheIdOf(body: JsonObject): string | undefined {
  const name = textField(body, 'cachedContent');
  return name === undefined || name === ''
    ? undefined
    : name.replace(/^(?:.*\/)?cachedContents\//, '');
}

/** Returns the model that a body names, without `models/`. */
export function modelOf(body: JsonObject): string | undefined {
  const model = textField(body, 'model');
  return model && bareModel(model);
}

/** Returns the text of a Content without its thoughts. */
export function textOf(content: Content | undefined): string {
  const parts = content?.parts.filter((part) => part['thought'] !== true) ?? [];
  return parts.flatMap((part) => textField(part, 'text') ?? []).join('\n');
}
