// Writes the user Content that answers a model's functionCalls.
import { textContent, userContent } from '../base/content.js';
import type { ToolCall, ToolResponse } from '../types/tool.js';
import { stopped } from './run-tool.js';

/** A call on its way to a response. */
export interface CallState {
  call: ToolCall;
  response?: ToolResponse;
}

/** What stands before an answer where a request holds nothing but its step. */
export const stepOpening = `{"contents":[${textContent('?')},`;

/** What stands behind it: the results of its calls. */
export const stepEnding = (step: CallState[]): string => `,${resultsContent(step)}]}`;

/** The one user Content that answers a model's calls, in their order and with their ids, as JSON. */
export function resultsContent(step: CallState[]): string {
  return userContent(
    step.map(({ call: { id, name }, response: { parts, ...response } = stopped }) => ({
      functionResponse: {
        ...(id === undefined ? {} : { id }),
        name,
        response,
        ...(parts ? { parts } : {}),
      },
    })),
  );
}
