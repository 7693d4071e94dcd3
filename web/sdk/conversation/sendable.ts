// Why this file exists: a result that no request could carry fails alone, not the results beside it.
import type { ToolCall, ToolResponse } from '../types/tool.js';
import { stepEnding, stepOpening } from '../tools/results-content.js';
import type { SendContext } from './request.js';

/** The response, or the error that the model gets in its place. */
export function sendable(
  response: ToolResponse,
  call: ToolCall,
  { strata, live }: Pick<SendContext, 'strata' | 'live'>,
): ToolResponse {
  const asked = JSON.stringify({ role: 'model', parts: [{ functionCall: call }] });
  const body = `${stepOpening}${asked}${stepEnding([{ call, response }])}`;
  const { model, backend } = live;
  const refused = strata
    .lint(body, { model, backend })
    .diagnostics.find(({ severity, path }) => severity === 'error' && /^.contents.2/.test(path));
  return refused ? { error: `The result can't be sent: ${refused.message}` } : response;
}
