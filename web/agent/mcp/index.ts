// Exports `prompt-strata/mcp`: the tools of MCP servers. Only this entry needs @modelcontextprotocol/sdk, an optional
// peer dependency.
export { McpServer, type McpServerOptions } from './mcp.js';
export type { McpAddress } from './mcp-connection.js';
