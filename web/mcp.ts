// Why this file exists: MCP servers as tools have an entry of their own: it alone knows the protocol's SDK,
// which is an optional peer.
export { McpServer, type McpServerOptions } from './sdk/tools/mcp.js';
