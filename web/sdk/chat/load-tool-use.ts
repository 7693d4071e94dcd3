// Loads the code that runs tools, which most chats need late or never.
import type { DeclaredTools } from './tools/toolbox.js';

/** The exports of tool-use.ts. */
export type ToolUse = typeof import('./tool-use.js');

/** The tools of a conversation without any. */
export const noTools: DeclaredTools = {
  json: undefined,
  takeDiagnostics: () => [],
  find: () => undefined,
};

let loaded: ToolUse | undefined;

/** Returns the code if it is loaded, so that a tool round does not wait for it. */
export const loadedToolUse = (): ToolUse | undefined => loaded;

/** Loads the code. */
export async function loadToolUse(): Promise<ToolUse> {
  return (loaded ??= await import('./tool-use.js'));
}
