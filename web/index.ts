// Why this file exists: the package's face. Everything public is named here.
export { load } from './sdk/load.js';
export { GeminiClient } from './sdk/client.js';
export { Conversation } from './sdk/conversation.js';
export { CacheError, GeminiError, HistoryError, StrataError, TemplateError } from './sdk/errors.js';
export type * from './sdk/types.js';
export { createEmulator } from './emulator/index.js';
