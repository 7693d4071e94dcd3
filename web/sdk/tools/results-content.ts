// Writes the user Content that answers a model's functionCalls.
import { textContent, userContent } from '../base/content.js';
import type { ToolCall, ToolResponse } from '../types/tool.js';
import { stopped } from './run-tool.js';

/** A call, and its response once it has one. */
export interface CallState {
  call: ToolCall;
  response?: ToolResponse;
}

/** The start of a request that consists of a placeholder user turn, an answer and its results. */
export const stepOpening = `{"contents":[${textContent('?')},`;

/** The end of that request: the results of the answer's calls. */
export const stepEnding = (step: CallState[]): string => `,${resultsContent(step)}]}`;

/** Returns the user Content with the responses of all calls, in their order and with their ids, as JSON. */
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
