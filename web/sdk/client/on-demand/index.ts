// What a client loads when it is needed first: everything but generating content. It is one module, so that what its
// parts share is one file of the package.
export { requestOf } from './any-request.js';
export { CacheCalls } from './cache-calls.js';
export { countTokensBody } from './count-tokens.js';
export { FileCalls } from './files/file-calls.js';
export { ModelCalls } from './model-calls.js';
