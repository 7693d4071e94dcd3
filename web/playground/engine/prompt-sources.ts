// Turns the prompt of the document into what a conversation and `assemble` take.
import type { AssembleInput, Json, PromptInput } from '../../index.js';
import { messageOf } from '../../sdk/internal/messages.js';
import type { PromptDraft } from '../state/playground-document.js';

/** The variables of the templates, by name. */
export type Variables = { [name: string]: Json };

/** The variables that a JSON text holds; `error` says why it holds none. */
export interface ReadVariables {
  values: Variables;
  error?: string;
}

/** Reads the JSON text of the variables. A blank text holds none. */
export function readVariables(text: string): ReadVariables {
  if (text.trim() === '') return { values: {} };
  try {
    const value: Json = JSON.parse(text);
    if (value !== null && typeof value === 'object' && !Array.isArray(value))
      return { values: value };
    return { values: {}, error: 'The variables must be a JSON object: { "name": value }.' };
  } catch (error) {
    return { values: {}, error: messageOf(error) };
  }
}

/** The prompt, as the options of `Conversation` name it. */
export interface PromptOptions {
  static: NonNullable<AssembleInput['static']>;
  dynamic: NonNullable<AssembleInput['dynamic']>;
  /** Missing without sections. */
  prompt?: PromptInput;
}

/** Returns the prompt of the document. An empty template stands for the package's own. */
export function promptOptions(draft: PromptDraft): PromptOptions {
  const variables = readVariables(draft.variables).values;
  const layer = (template: string) => (template === '' ? { variables } : { template, variables });
  const sections = draft.sections.map(({ name, template }) => ({ id: name, template, variables }));
  return {
    static: layer(draft.static),
    dynamic: { ...layer(draft.dynamic), placement: draft.placement },
    ...(sections.length > 0 ? { prompt: { sections } } : {}),
  };
}
