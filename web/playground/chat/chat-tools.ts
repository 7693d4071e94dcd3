// Turns the tools of the document into functions whose results a person or a script gives.
import { StrataError, type FunctionTool, type Json } from '../../index.js';
import { messageOf } from '../../sdk/internal/messages.js';
import type { ToolDraft } from '../state/playground-document.js';
import { declarationOf, type Declaration } from '../engine/declaration.js';
import type { OpenCall } from './draw-call.js';
import type { Settings } from '../engine/chat-settings.js';
import { tools as demonstrations } from '../engine/demonstration-tools.js';

/** Asks for the result of a call. */
export type AskForResult = (open: OpenCall) => Promise<Json>;

function declared(draft: ToolDraft): Declaration {
  try {
    return declarationOf(draft);
  } catch (error) {
    const message = `The parameters of the tool ${draft.name} are invalid: ${messageOf(error)}`;
    throw new StrataError('json.invalid', message);
  }
}

const toolOf = (draft: ToolDraft, ask: AskForResult): FunctionTool => ({
  ...declared(draft),
  run: (_args, { call, signal }) => ask({ call, tool: draft, signal }),
});

/**
 * Returns the tools of a conversation: those of the document or, if it has none, two that show how tools work.
 *
 * @throws StrataError `json.invalid` for parameters that are not JSON
 */
export function toolsOf(
  { tools, demonstration }: Pick<Settings, 'tools' | 'demonstration'>,
  ask: AskForResult,
): FunctionTool[] {
  const named = tools.filter(({ name }) => name !== '');
  if (named.length > 0) return named.map((draft) => toolOf(draft, ask));
  return demonstration ? demonstrations : [];
}
