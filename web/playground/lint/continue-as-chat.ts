// Makes a chat out of a linted request: its history, its instruction, its tools and its settings; and names what is
// left out.
import { field, isObject, textOf, type JsonFields } from '../../sdk/internal/json.js';
import type { Backend } from '../../index.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import type { CoreHolder } from '../engine/core-holder.js';
import { declarationsText } from '../engine/declaration.js';
import type { PlaygroundDocument, PromptDraft } from '../state/playground-document.js';
import { withLineFeeds } from '../../ui/editor/text.js';

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const camelCase = (name: string) =>
  name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

const toolsOf = (body: JsonFields) => listOf(body['tools']).filter(isObject);

/** Returns the declarations of the functions of a request. */
export const functionsOf = (body: JsonFields): JsonFields[] =>
  toolsOf(body)
    .flatMap((tool) => listOf(field(tool, 'functionDeclarations')))
    .filter(isObject);

// Returns the fields whose names a chat does not know. A field without a value has no effect.
const unknownFields = (fields: JsonFields, ...known: string[]) =>
  Object.keys(fields).filter(
    (name) => !known.includes(camelCase(name)) && (fields[name] ?? undefined) !== undefined,
  );

function instructionParts(body: JsonFields): string[] {
  const instruction = field(body, 'systemInstruction');
  const parts = isObject(instruction) ? listOf(instruction['parts']).filter(isObject) : [];
  return parts
    .flatMap((part) => unknownFields(part, 'text'))
    .map((name) => `${name} of systemInstruction`);
}

/** Returns the names of what a request has and a chat does not send. */
export function leftOutOf(body: JsonFields): string[] {
  const sent = ['contents', 'systemInstruction', 'generationConfig', 'tools', 'model'];
  // The chat stores nothing, too.
  if (body['store'] === false) sent.push('store');
  const declared = ['name', 'description', 'parameters', 'parametersJsonSchema'];
  return [
    ...unknownFields(body, ...sent),
    ...toolsOf(body).flatMap((tool) => unknownFields(tool, 'functionDeclarations')),
    ...functionsOf(body).flatMap((one) =>
      unknownFields(one, ...declared).map((name) => `${name} of ${String(one['name'])}`),
    ),
    ...instructionParts(body),
  ];
}

const asText = (value: unknown) => (value === undefined ? '' : JSON.stringify(value, null, 2));

// What the chat sends of a declaration.
function sentPart(declaration: JsonFields): JsonFields {
  const { name, description, parameters } = declaration;
  const schema = field(declaration, 'parametersJsonSchema') ?? parameters;
  return { name, description, parameters: schema };
}

// In a template, these braces would be read as code. Its editor ends lines with a line feed.
function asTemplate(instruction: string): string {
  const text = withLineFeeds(instruction);
  return /\{[{%#]/.test(text) ? `{% raw %}${text}{% endraw %}` : text;
}

function instructionOf(body: JsonFields): string {
  const instruction = field(body, 'systemInstruction');
  if (typeof instruction === 'string') return asTemplate(instruction);
  const parts = isObject(instruction) ? listOf(instruction['parts']) : [];
  return asTemplate(
    parts
      .filter(isObject)
      .map(({ text }) => textOf(text))
      .join('\n'),
  );
}

// An empty template stands for the one of the package, which this request does not have.
const without = (layer: string) => `{# The request had no ${layer}. #}`;

const promptOf = (body: JsonFields): PromptDraft => ({
  static: instructionOf(body) || without('systemInstruction'),
  dynamic: without('dynamic layer'),
  variables: '{}',
  placement: 'before-current-turn',
});

const settingsOf = (body: JsonFields) => ({
  // An empty text asks for thoughts.
  generationConfig: asText(field(body, 'generationConfig') ?? {}),
  tools: declarationsText(functionsOf(body).map(sentPart)),
  demonstration: false,
});

/** A change of the document, and the names of what the request has and the chat does not send. */
export interface ContinuedChat {
  change: (value: PlaygroundDocument) => PlaygroundDocument;
  leftOut: string[];
}

/**
 * Returns a change of the document that continues a request as a chat.
 *
 * @throws HistoryError if the history of the request has errors
 */
export async function chatOf(
  core: CoreHolder,
  body: string,
  target: { model: string; backend: Backend },
): Promise<ContinuedChat> {
  const parsed: unknown = JSON.parse(body);
  const request = isObject(parsed) ? parsed : {};
  const strata = await core.shared();
  const from = JSON.stringify({ contents: listOf(request['contents']) });
  using thread = strata.thread({ ...target, from, format: 'gemini' });
  const saved = decodeUtf8(thread.save());
  const settings = { ...target, ...settingsOf(request) };
  const prompt = promptOf(request);
  const change = (value: PlaygroundDocument) => ({
    ...value,
    settings: { ...value.settings, ...settings },
    prompt,
    chat: { saved },
  });
  return { change, leftOut: leftOutOf(request) };
}
