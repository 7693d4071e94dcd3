// Reads what the chat sends with from the document and from the page's key.
import {
  StrataError,
  type Backend,
  type ConversationOptions,
  type GenerationConfig,
  type Wire,
} from '../../index.js';
import { messageOf } from '../../sdk/internal/messages.js';
import type { PlaygroundDocument, PromptDraft, ToolDraft } from '../state/playground-document.js';
import { promptOptions, readVariables, type PromptOptions } from './prompt-sources.js';

/** What the next message is sent with. */
export interface Settings {
  model: string;
  backend: Backend;
  wire: Wire;
  /** Kept in memory only. If empty, the emulator answers. */
  apiKey: string;
  prompt: PromptDraft;
  /** JSON text; '' asks for thoughts only. */
  generationConfig: string;
  tools: readonly ToolDraft[];
  /** Whether a chat without tools declares those of the demonstration. */
  demonstration: boolean;
  caching: boolean;
}

/** Returns the settings of a document with a key. */
export function settingsOf({ settings, prompt }: PlaygroundDocument, apiKey: string): Settings {
  return { demonstration: true, wire: 'generateContent', ...settings, apiKey, prompt };
}

/** Returns a text that is equal for settings with which the same Conversation can continue. */
export const settingsKey = (settings: Settings): string => JSON.stringify(settings);

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

/** The prompt of a conversation, with what its templates know besides the variables. */
export type ChatPrompt = PromptOptions & Pick<ConversationOptions, 'arguments'>;

const isBlank = ({ dynamic, sections, variables }: PromptDraft) =>
  dynamic === '' && sections.length === 0 && /^\s*(?:\{\s*\})?\s*$/.test(variables);

/** Returns the variables of a prompt, as JSON text: those of the demonstration if the prompt is blank. */
export const variablesOf = (prompt: PromptDraft): string =>
  isBlank(prompt) ? demonstration : prompt.variables;

/** Returns the prompt of a conversation. Without variables, those of a demonstration are used. */
export function chatPrompt(prompt: PromptDraft): ChatPrompt {
  const variables = isBlank(prompt) ? demonstration : prompt.variables;
  // Templates get the system's variables, such as the date, only with arguments.
  const own = readVariables(variables).values['assistant'];
  const given = { assistant, ...(own === undefined ? {} : { assistant: Object(own) }) };
  return {
    ...promptOptions({ ...prompt, static: prompt.static.trim(), variables }),
    arguments: given,
  };
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
