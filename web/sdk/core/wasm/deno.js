// Loads the file in Deno: a source phase import is a compiled module and needs no --allow-read. This is a JavaScript
// file because TypeScript cannot parse the import yet.
import source module from '../core.wasm';

export const wasm = () => module;
