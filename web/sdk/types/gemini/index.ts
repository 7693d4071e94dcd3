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
export type * from './api-tool.js';
export type * from './audio-transcription-config.js';
export type * from './cached-content.js';
export type * from './candidate.js';
export type * from './code-execution.js';
export type * from './content.js';
export type * from './file-data.js';
export type * from './file.js';
export type * from './finish-reason.js';
export type * from './function-call.js';
export type * from './function-declaration.js';
export type * from './function-response.js';
export type * from './generate-content-request.js';
export type * from './generate-content-response.js';
export type * from './generation-config.js';
export type * from './grounding-metadata.js';
export type * from './image-config.js';
export type * from './inline-data.js';
export type * from './media-resolution.js';
export type * from './model-info.js';
export type * from './open-enum.js';
export type * from './part.js';
export type * from './response-format.js';
export type * from './safety.js';
export type * from './schema.js';
export type * from './server-tool.js';
export type * from './service-tier.js';
export type * from './speech-config.js';
export type * from './thinking-config.js';
export type * from './tool-config.js';
export type * from './transcription.js';
export type * from './usage-metadata.js';
export type * from './video-metadata.js';
