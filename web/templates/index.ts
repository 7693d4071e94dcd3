// Exports `prompt-strata/templates`: Jinja2 templates, and prompts made of sections, skills, files and arguments.
export { StrataError, TemplateError } from '../sdk/internal/errors.js';
export { loadTemplates } from './templates.js';
export { memoryFiles, readMemory, type MemoryFile } from './memory.js';
export { fetchReader, readFiles, type FileReader } from './read-files.js';
export type { LoadOptions } from '../sdk/core/instance-loader.js';
export type { WasmSource } from '../sdk/core/wasm-source.js';
export type * from '../sdk/types/diagnostic.js';
export type * from '../sdk/types/codes.js';
export type * from '../sdk/types/compiled-prompt.js';
export type * from '../sdk/types/json.js';
export type * from '../sdk/types/manifest.js';
export type * from '../sdk/types/model.js';
export type { Fetch } from '../sdk/types/platform.js';
export type * from '../sdk/types/prompt-arguments.js';
export type * from '../sdk/types/prompt-input.js';
export type * from '../sdk/types/template.js';
export type * from '../sdk/types/template-variables.js';
export type * from '../sdk/types/templates.js';
