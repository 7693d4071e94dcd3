// Exports the shapes of the Gemini API, in the words of its reference: https://ai.google.dev/api.
//
// The interfaces are closed, so that a misspelled field of an object literal does not compile. The API may add fields
// at any time. There are three ways to send one that is newer than this package: pass a JSON text or bytes; pass a
// value whose type has the field; or add it to the interface, which also makes it readable:
//
//   declare module 'prompt-strata' {
//     interface GenerationConfig {
//       newField?: string;
//     }
//   }
//
// Enums accept any string: see `OpenEnum`. `Blob`, `File`, `Tool`, `ToolCall`, `ToolResponse` and `Model` of the
// reference are `InlineData`, `GeminiFile`, `ApiTool`, `ServerToolCall`, `ServerToolResponse` and `ModelInfo` here,
// because these names are taken.
export type * from './gemini/tools.js';
export type * from './gemini/request.js';
export type * from './gemini/interaction.js';
export type * from './gemini/resources.js';
export type * from './gemini/response.js';
export type * from './gemini/steps.js';
export type * from './gemini/contents.js';
