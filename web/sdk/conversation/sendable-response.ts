// Replaces a tool result that the API would refuse with an error, so that the other results can be sent.
import type { ToolCall, ToolResponse } from '../types/tool.js';
import { stepEnding, stepOpening } from '../tools/results-content.js';
import type { SendContext } from './send-request.js';

/** Returns the response, or the error that the model receives in its place. */
export function sendable(
  response: ToolResponse,
  call: ToolCall,
  { strata, live }: Pick<SendContext, 'strata' | 'live'>,
): ToolResponse {
  const modelContent = JSON.stringify({ role: 'model', parts: [{ functionCall: call }] });
  const body = `${stepOpening}${modelContent}${stepEnding([{ call, response }])}`;
  const { model, backend } = live;
  const finding = strata
    .lint(body, { model, backend })
    .diagnostics.find(({ severity, path }) => severity === 'error' && /^.contents.2/.test(path));
  return finding ? { error: `The result can't be sent: ${finding.message}` } : response;
}
