// Makes a chat out of a linted request, its history, instruction, tools and settings, and names what is left out.
import { field, isObject, textOf, type JsonFields } from '../../sdk/internal/json.js';
import type { Backend } from '../../index.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import type { CoreHolder } from '../engine/core-holder.js';
import { declarationsText } from '../engine/declaration.js';
import type { PlaygroundDocument, PromptDraft } from '../state/playground-document.js';
import { withLineFeeds } from '../../ui/editor/text.js';

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const camelCase = (name: string) =>
  name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

const toolsOf = (body: JsonFields) => listOf(body['tools']).filter(isObject);

const functionsOf = (body: JsonFields) =>
  toolsOf(body)
    .flatMap((tool) => listOf(field(tool, 'functionDeclarations')))
    .filter(isObject);

function instructionParts(body: JsonFields): JsonFields[] {
  const instruction = field(body, 'systemInstruction');
  if (typeof instruction === 'string') return [{ text: instruction }];
  return isObject(instruction) ? listOf(instruction['parts']).filter(isObject) : [];
}

// Returns the fields whose names a chat does not know. A field without a value has no effect.
const unknownFields = (fields: JsonFields, ...known: string[]) =>
  Object.keys(fields).filter(
    (name) => !known.includes(camelCase(name)) && (fields[name] ?? undefined) !== undefined,
  );

// Returns the names of what a request has and a chat does not send.
function leftOutOf(body: JsonFields): string[] {
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
    ...instructionParts(body).flatMap((part) =>
      unknownFields(part, 'text').map((name) => `${name} of systemInstruction`),
    ),
  ];
}

// What the chat sends of a declaration.
function sentPart(declaration: JsonFields): JsonFields {
  const { name, description, parameters } = declaration;
  const schema = field(declaration, 'parametersJsonSchema') ?? parameters;
  return { name, description, parameters: schema };
}

// In a template, these braces would be read as code. Its editor ends lines with a line feed.
function templateOf(body: JsonFields): string {
  const text = withLineFeeds(
    instructionParts(body)
      .map((part) => textOf(part['text']))
      .join('\n'),
  );
  return /\{[{%#]/.test(text) ? `{% raw %}${text}{% endraw %}` : text;
}

// An empty template stands for the one of the package, which this request does not have.
const without = (layer: string) => `{# The request had no ${layer}. #}`;

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
  const settings = {
    ...target,
    // An empty text asks for thoughts.
    generationConfig: JSON.stringify(field(request, 'generationConfig') ?? {}, null, 2),
    tools: declarationsText(functionsOf(request).map(sentPart)),
    demonstration: false,
  };
  const prompt: PromptDraft = {
    static: templateOf(request) || without('systemInstruction'),
    dynamic: without('dynamic layer'),
    variables: '{}',
    placement: 'before-current-turn',
  };
  const change = (value: PlaygroundDocument) => ({
    ...value,
    settings: { ...value.settings, ...settings },
    prompt,
    chat: { saved },
  });
  return { change, leftOut: leftOutOf(request) };
}
