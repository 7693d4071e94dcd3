// Returns the fields that the settings add to a request, as the chat sends them.
import type { AssembleInput, FunctionTool } from '../../index.js';
import { generationConfigOf } from './chat-settings.js';
import { tools as demonstrations } from './demonstration-tools.js';
import type { DocumentSettings, ToolDraft } from '../state/playground-document.js';
import { declarationOf, type Declaration } from './declaration.js';

type Fields = Pick<AssembleInput, 'generationConfig' | 'tools' | 'store' | 'cachedHistory'>;

// Returns the value of a JSON text; undefined for a blank or invalid one, which the settings report.
function valueOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? value : undefined;
  } catch {
    return undefined;
  }
}

// Parameters that are not JSON are left out.
function draftDeclaration(draft: ToolDraft): Declaration {
  try {
    return declarationOf(draft);
  } catch {
    return declarationOf({ ...draft, parameters: '' });
  }
}

const functionDeclaration = ({ name, description = '', parameters }: FunctionTool) => ({
  name,
  description,
  parameters,
});

// The chat declares the tools of the demonstration if the document has none.
function declarationsOf({ tools, demonstration = true }: DocumentSettings): object[] {
  const named = tools.filter(({ name }) => name !== '');
  if (named.length > 0) return named.map(draftDeclaration);
  return demonstration ? demonstrations.map(functionDeclaration) : [];
}

// An invalid text sends nothing here; the chat refuses it.
function configOf(text: string) {
  if (text.trim() !== '' && valueOf(text) === undefined) return {};
  return { generationConfig: generationConfigOf(text) };
}

/** Returns the fields of a request besides its layers. */
export function requestFields(settings: DocumentSettings): Fields {
  const { generationConfig, backend } = settings;
  const functionDeclarations = declarationsOf(settings);
  return {
    ...configOf(generationConfig),
    ...(functionDeclarations.length > 0
      ? { tools: JSON.stringify([{ functionDeclarations }]) }
      : {}),
    cachedHistory: 'contents',
    ...(backend === 'gemini' ? { store: false } : {}),
  };
}
