// Makes a chat out of a linted request: its history, its instruction, its tools and its settings.
import type { Backend } from '../../index.js';
import { field, isObject, textOf, type JsonFields } from '../../sdk/internal/json.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import type { CoreHolder } from '../engine/core-holder.js';
import type { PlaygroundDocument, PromptDraft, ToolDraft } from '../state/playground-document.js';
import { withLineFeeds } from '../../ui/editor/line-feeds.js';
import { functionsOf, leftOutOf, listOf } from '../engine/chat-fields.js';

const asText = (value: unknown) => (value === undefined ? '' : JSON.stringify(value, null, 2));

function toolDraft(declaration: JsonFields): ToolDraft {
  const schema = field(declaration, 'parametersJsonSchema') ?? declaration['parameters'];
  const [name, description] = [textOf(declaration['name']), textOf(declaration['description'])];
  return { name, description, parameters: asText(schema) };
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
  sections: [],
  variables: '{}',
  placement: 'before-current-turn',
});

const settingsOf = (body: JsonFields) => ({
  // An empty text asks for thoughts.
  generationConfig: asText(field(body, 'generationConfig') ?? {}),
  tools: functionsOf(body).map(toolDraft),
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
    chat: { saved, discarded: [] },
  });
  return { change, leftOut: leftOutOf(request) };
}
