// Reads the file in Bun, whose bundler copies it, or embeds it with --compile. This is a JavaScript file because
// TypeScript does not know that the import is a path.
/* global Bun */
import path from '../core.wasm' with { type: 'file' };

export const wasm = () => Bun.file(new URL(path, import.meta.url)).arrayBuffer();
