// Exports `prompt-strata/node`: stores that need a file system, kept out of bundles for browsers.
export { FileStore } from './sdk/stores/file.js';
