// What a client loads when it is needed first: the Files API, `request`, and the bodies of Vertex AI. One module, so
// that what it shares with the client is one file of the package.
export { requestOf } from './any-request.js';
export { FileCalls } from './files/file-calls.js';
export { vertexCacheBody, vertexCountBody } from './vertex-bodies.js';
