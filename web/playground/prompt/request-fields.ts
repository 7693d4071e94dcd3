// Reads the fields of the settings that a request of the Prompt view has: generationConfig and tools.
import type { AssembleInput } from '../../index.js';
import type { DocumentSettings, ToolDraft } from '../document/playground-document.js';

type Fields = Pick<AssembleInput, 'generationConfig' | 'tools'>;

// Returns the value of a JSON text; undefined for a blank or invalid one, which the settings report.
function valueOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? value : undefined;
  } catch {
    return undefined;
  }
}

function declarationOf({ name, description, parameters }: ToolDraft) {
  const parametersJsonSchema = valueOf(parameters);
  return {
    name,
    ...(description === '' ? {} : { description }),
    ...(parametersJsonSchema ? { parametersJsonSchema } : {}),
  };
}

/** Returns the fields that the settings add to a request. */
export function requestFields({ generationConfig, tools }: DocumentSettings): Fields {
  const config = valueOf(generationConfig);
  const named = tools.filter(({ name }) => name !== '');
  return {
    ...(config ? { generationConfig: JSON.stringify(config) } : {}),
    ...(named.length > 0 ? { tools: [{ functionDeclarations: named.map(declarationOf) }] } : {}),
  };
}
