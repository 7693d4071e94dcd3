// Loads the core in Deno: a source phase import is a compiled module and needs no --allow-read. This is a JavaScript
// file because TypeScript cannot parse the import yet.
import source wasm from '../core.wasm';

export const compile = async () => wasm;
