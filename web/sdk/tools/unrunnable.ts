// Reports functions that are declared in the API's form: a conversation has no code for them.
import type { Diagnostic } from '../types/diagnostic.js';
import { isFunctionTool, type FunctionTool, type RawTool } from '../types/tool.js';

/** Emits a diagnostic for each tool with functions that have no `run`. */
export function reportUnrunnable(
  tools: readonly (FunctionTool | RawTool)[],
  emit: (diagnostic: Diagnostic) => void,
): void {
  for (const tool of tools) {
    const { functionDeclarations: declared = [] } = isFunctionTool(tool) ? {} : tool;
    if (declared.length === 0) continue;
    const names = declared.map(({ name }) => name).join(', ');
    const message = `Functions without \`run\`, whose calls are answered with an error: ${names}. Pass them as { name, description, schema, run }.`;
    emit({ code: 'tools.no_run', severity: 'warning', path: '/tools', message });
  }
}
