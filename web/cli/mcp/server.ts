// Implements `prompt-strata mcp`: serves the tools to a coding agent over standard input and output.
import { McpServer, fromJsonSchema, type CallToolResult } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { loadChecker, type Checker } from '../../check/index.js';
import { withoutSecrets } from '../../requests/remove-secrets.js';
import { messageOf } from '../../sdk/internal/messages.js';
import { version } from '../../sdk/internal/version.js';
import { tools, type Tool } from './tools.js';

const instructions =
  'Checks requests for the Gemini API before they are sent. Use lint when a request is written or Google answers 400, ' +
  'repair to get the repaired request, explain_rule for an error message of Google, models before a model is chosen.';

/** Returns the answer of a tool, or why there is none, which the agent reads. */
async function resultOf(
  tool: Tool,
  checker: Checker,
  args: { [name: string]: unknown },
  signal: AbortSignal,
): Promise<CallToolResult> {
  try {
    const { text, data } = await tool.run(checker, args, signal);
    return { content: [{ type: 'text', text }], structuredContent: { ...data } };
  } catch (error) {
    signal.throwIfAborted();
    return { content: [{ type: 'text', text: withoutSecrets(messageOf(error)) }], isError: true };
  }
}

function serverFor(checker: Checker): McpServer {
  const server = new McpServer({ name: 'prompt-strata', version }, { instructions });
  for (const tool of tools) {
    const { name, title, description, schema } = tool;
    const about = {
      title,
      description,
      inputSchema: fromJsonSchema<{ [name: string]: unknown }>(schema),
    };
    const annotations = { readOnlyHint: true, openWorldHint: false };
    server.registerTool(name, { ...about, annotations }, (args, { mcpReq }) =>
      resultOf(tool, checker, args, mcpReq.signal),
    );
  }
  return server;
}

/** Serves until standard input ends. */
export async function serveMcp(): Promise<number> {
  const checker = await loadChecker();
  serveStdio(() => serverFor(checker));
  return 0;
}
