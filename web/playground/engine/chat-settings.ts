// Reads what the chat sends with from the document and from the page's key.
import {
  StrataError,
  type AssembleInput,
  type Json,
  type ConversationOptions,
  type GenerationConfig,
} from '../../index.js';
import { messageOf } from '../../sdk/internal/messages.js';
import type {
  DocumentSettings,
  PromptDraft,
  PlaygroundDocument,
} from '../state/playground-document.js';

/** The variables of the templates, by name. */
export type Variables = { [name: string]: Json };

/** Reads the JSON text of the variables. A blank text holds none; `error` says why another one holds none. */
export function readVariables(text: string): { values: Variables; error?: string } {
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

/** What the next message is sent with. */
export interface Settings extends Required<DocumentSettings> {
  /** Kept in memory only. If empty, the emulator answers. */
  apiKey: string;
  prompt: PromptDraft;
}

/** Returns the settings of a document with a key. */
export function settingsOf({ settings, prompt }: PlaygroundDocument, apiKey: string): Settings {
  return { demonstration: true, wire: 'generateContent', ...settings, apiKey, prompt };
}

// What a new session shows: the default templates need variables to show anything.
const demonstrationValues = {
  main_instruction: 'Answer in a few sentences. Ask the tools for weather and time.',
  constraints: ['Mention that the tools return data invented for a demonstration.'],
  todos: [
    { title: 'Book the train to "Roma Termini"', checked: true },
    { title: 'Pack an umbrella', checked: false },
  ],
};
const demonstration = JSON.stringify(demonstrationValues, null, 2);

const assistant = { name: 'Prompt Strata', language: 'en' };

const hasNothingDynamic = ({ dynamic, variables }: PromptDraft) =>
  dynamic === '' && /^\s*(?:\{\s*\})?\s*$/.test(variables);

/** Whether a prompt has nothing yet. */
export const isBlank = (prompt: PromptDraft): boolean =>
  prompt.static === '' && hasNothingDynamic(prompt);

/** Returns the variables of a prompt, as JSON text: those of the demonstration if it has none, and no dynamic template. */
export const variablesOf = (prompt: PromptDraft): string =>
  hasNothingDynamic(prompt) ? demonstration : prompt.variables;

/**
 * Returns the prompt of a conversation. An empty template stands for the package's own; without variables, those of a
 * demonstration are used.
 */
export function chatPrompt(draft: PromptDraft) {
  const variables = readVariables(variablesOf(draft)).values;
  const layer = (template: string) => (template === '' ? { variables } : { template, variables });
  const { assistant: own = assistant } = variables;
  return {
    static: layer(draft.static.trim()),
    dynamic: { ...layer(draft.dynamic), placement: draft.placement },
    // Templates get the system's variables, such as the date, only with arguments.
    arguments: { assistant: Object(own) as object },
  } satisfies Pick<ConversationOptions, 'arguments'> & Pick<AssembleInput, 'static' | 'dynamic'>;
}

/**
 * Returns the generationConfig of a JSON text.
 *
 * @throws StrataError `json.invalid`
 */
export function generationConfigOf(text: string): GenerationConfig {
  if (text.trim() === '') return { thinkingConfig: { includeThoughts: true } };
  try {
    return JSON.parse(text) as GenerationConfig;
  } catch (error) {
    throw new StrataError('json.invalid', `generationConfig is not JSON: ${messageOf(error)}`);
  }
}
