// Why this file exists: what needs a file system has an entry of its own, so that no bundler for pages
// ever meets it.
export { FileStore } from './sdk/stores/file.js';
