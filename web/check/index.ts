// Exports `prompt-strata/check`: what judges, repairs and converts requests and histories that others wrote.
export {
  GeminiError,
  HistoryError,
  StrataError,
  type GeminiErrorDetails,
  type GeminiErrorKind,
} from '../sdk/internal/errors.js';
export { loadChecker } from './wasm-checker.js';
export type { LoadOptions } from '../sdk/core/instance-loader.js';
export type { WasmSource } from '../sdk/core/wasm-source.js';
export type * from './checker.js';
export type * from '../sdk/types/codes.js';
export type * from '../sdk/types/diagnostic.js';
export type * from '../sdk/types/gemini.js';
export type * from '../sdk/types/import.js';
export type * from '../sdk/types/json.js';
export type * from './lint.js';
export type * from '../sdk/types/model.js';
export type * from '../sdk/types/response.js';
export type * from '../sdk/types/schema.js';
export type * from '../sdk/types/timeline.js';
export type { Countable } from '../sdk/types/strata.js';
export type { ToolCall } from '../sdk/types/tool.js';
export type * from '../sdk/types/usage.js';
