// Exports `prompt-strata/mcp`: the tools of MCP servers. Only this entry needs @modelcontextprotocol/sdk, an optional
// peer dependency.
export { McpServer, type McpServerOptions } from './sdk/tools/mcp.js';
export type { McpAddress } from './sdk/tools/mcp-connection.js';
