// Writes results of the AI SDK's tools as functionResponses.
import type { LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import type { PartInput } from '../../sdk/types/gemini/contents.js';
import { filePart } from './file-parts.js';

/** How the API names a call. */
export interface CallName {
  name: string;
  /** Missing if the API sent none: then results belong to calls by their order. */
  id: string | undefined;
  /** The position among the calls of its turn. */
  order: number;
}

type Output = LanguageModelV4ToolResultPart['output'];
type ContentPart = Extract<Output, { type: 'content' }>['value'][number];

function mediaOf(value: readonly ContentPart[], place: string): PartInput[] {
  return value.flatMap((part, index) =>
    part.type === 'file' ? [filePart(part, `${place}.output.value[${index}]`)] : [],
  );
}

const textsOf = (value: readonly ContentPart[]) =>
  value.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

// Google's words for both: https://ai.google.dev/api/caching#FunctionResponse
function responseValue(output: Output): object {
  switch (output.type) {
    case 'text':
    case 'json':
      return { output: output.value };
    case 'error-text':
    case 'error-json':
      return { error: output.value };
    case 'execution-denied':
      return { error: output.reason ?? 'The user denied the execution of this tool.' };
    case 'content':
      return { output: textsOf(output.value) };
  }
}

/** Returns the Part of a result. */
export function responseOf(
  { output }: LanguageModelV4ToolResultPart,
  { name, id }: CallName,
  place: string,
): PartInput {
  const media = output.type === 'content' ? mediaOf(output.value, place) : [];
  const functionResponse = {
    ...(id !== undefined && { id }),
    name,
    response: responseValue(output),
    ...(media.length > 0 && { parts: media }),
  };
  return { functionResponse } as PartInput;
}
