// Makes a chat out of a linted request: its history, its instruction, its tools and its settings.
import type { Backend } from '../../index.js';
import { decodeUtf8 } from '../../sdk/base/utf8.js';
import type { CoreHolder } from '../core-holder.js';
import type { PlaygroundDocument, ToolDraft } from '../document/playground-document.js';

type Fields = { [name: string]: unknown };

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
/** Returns a field in either of the spellings that the API takes. */
const field = (fields: Fields, name: string) =>
  fields[name] ?? fields[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
const asText = (value: unknown) => (value === undefined ? '' : JSON.stringify(value, null, 2));

function toolDraft(declaration: unknown): ToolDraft[] {
  if (!isObject(declaration)) return [];
  const schema = field(declaration, 'parametersJsonSchema') ?? declaration['parameters'];
  const [name, description] = [textOf(declaration['name']), textOf(declaration['description'])];
  return [{ name, description, parameters: asText(schema), answer: 'hand', script: '' }];
}

function toolsOf(body: Fields): ToolDraft[] {
  return listOf(body['tools'])
    .filter(isObject)
    .flatMap((tool) => listOf(field(tool, 'functionDeclarations')))
    .flatMap(toolDraft);
}

// In a template, these braces would be read as code.
const asTemplate = (text: string) => (/\{[{%#]/.test(text) ? `{% raw %}${text}{% endraw %}` : text);

function instructionOf(body: Fields): string {
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

/**
 * Returns a change of the document that continues a request as a chat.
 *
 * @throws HistoryError if the history of the request has errors
 */
export async function chatOf(
  core: CoreHolder,
  body: string,
  target: { model: string; backend: Backend },
): Promise<(value: PlaygroundDocument) => PlaygroundDocument> {
  const parsed: unknown = JSON.parse(body);
  const request = isObject(parsed) ? parsed : {};
  const strata = await core.shared();
  const from = JSON.stringify({ contents: listOf(request['contents']) });
  using thread = strata.thread({ ...target, from, format: 'gemini' });
  const saved = decodeUtf8(thread.save());
  const settings = {
    ...target,
    generationConfig: asText(field(request, 'generationConfig')),
    tools: toolsOf(request),
  };
  const instruction = instructionOf(request);
  return (value) => ({
    ...value,
    settings: { ...value.settings, ...settings },
    prompt: instruction === '' ? value.prompt : { ...value.prompt, static: instruction },
    chat: { saved, discarded: [], branches: [] },
  });
}
