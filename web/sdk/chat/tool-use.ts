// What a conversation loads when it has tools, or when calls are open. It is one module, so that its parts are one file
// of the package.
export { Toolbox } from './tools/toolbox.js';
export { handleCalls } from './call-rounds.js';
export { closeOpenCalls, runCalls } from './tool-step.js';
