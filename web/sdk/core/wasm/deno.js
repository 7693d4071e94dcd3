// Deno: a source phase import is a compiled module and needs no --allow-read. JavaScript, because
// TypeScript cannot parse it yet.
import source wasm from '../../core.wasm';

export const compile = async () => wasm;
