// Exports the public API of `prompt-strata/gateway`.
export { GeminiError, HistoryError, StrataError } from './sdk/base/errors.js';
export type { LoadOptions } from './sdk/core/instance-loader.js';
