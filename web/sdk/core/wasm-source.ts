// Compiles the WebAssembly file of a module, wherever it comes from.
import { messageOf } from '../internal/messages.js';
import { StrataError } from '../internal/errors.js';
import { invalidOption } from '../internal/options.js';

/** A compiled module, the bytes of the file, a Response with them, or the URL of the file. */
export type WasmSource =
  WebAssembly.Module | ArrayBuffer | ArrayBufferView | Response | PromiseLike<Response> | URL;

/** What `load` uses if it is given no source, and the entry to name if that cannot be found. */
export interface PackagedWasm {
  source: () => WasmSource | Promise<WasmSource>;
  inlineEntry: string;
}

const tagOf = (value: unknown) => Object.prototype.toString.call(value);

// `instanceof` does not recognize objects of another realm.
const isModule = (value: unknown): value is WebAssembly.Module =>
  tagOf(value) === '[object WebAssembly.Module]';

const isBytes = (value: unknown): value is BufferSource =>
  ArrayBuffer.isView(value) || tagOf(value) === '[object ArrayBuffer]';

// Next's bundlers replace URL by a class of their own, whose `href` may be a path.
const isUrl = (value: unknown): value is URL =>
  typeof value === 'object' && typeof (value as URL | null)?.href === 'string';

const isResponse = (value: unknown): value is Response =>
  typeof (value as Response | undefined)?.arrayBuffer === 'function';

const guide = 'See docs/bundlers.md.';

function notFound(place: string, reason: string, inlineEntry: string): StrataError {
  const message =
    `The WebAssembly file was not found${place && ` at ${place}`}: ${reason}. ` +
    `Import '${inlineEntry}', which contains it, or say where it is with load({ wasm }). ${guide}`;
  return new StrataError('wasm.not_found', message);
}

function notCompiled(cause: unknown): StrataError {
  const message =
    `The WebAssembly file cannot be compiled: ${messageOf(cause)}. A content security policy must contain ` +
    `script-src 'wasm-unsafe-eval'; Workers need a WebAssembly.Module: load({ wasm }). ${guide}`;
  return new StrataError('wasm.not_compiled', message, [], cause);
}

async function compiled(compile: () => Promise<WebAssembly.Module>): Promise<WebAssembly.Module> {
  try {
    return await compile();
  } catch (cause) {
    throw notCompiled(cause);
  }
}

// Each file starts with these bytes: "\0asm".
const magic = [0, 0x61, 0x73, 0x6d];

function startsLikeWasm(source: BufferSource): boolean {
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  return magic.every((byte, i) => bytes[i] === byte);
}

/** A file that is missing, or something else in its place. */
class Missing extends Error {}

async function compileBytes(bytes: BufferSource, type = ''): Promise<WebAssembly.Module> {
  if (!startsLikeWasm(bytes))
    throw new Missing(`the bytes are not WebAssembly${type && ` but ${type}`}`);
  return compiled(() => WebAssembly.compile(bytes));
}

let warned = false;

function warnOnce(url: string, type: string): void {
  if (warned) return;
  warned = true;
  console.warn(
    `prompt-strata: ${url} was sent as ${type || 'no type'}. Send it as application/wasm, so that it is ` +
      'compiled while it downloads.',
  );
}

async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) throw new Missing(`HTTP ${response.status}`);
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/wasm')) {
    return compiled(() => WebAssembly.compileStreaming(response));
  }
  const module = await compileBytes(await response.arrayBuffer(), type);
  // A Response of the caller's own making has no URL.
  if (response.url) warnOnce(response.url, type);
  return module;
}

interface NodeFiles {
  readFile(path: URL): Promise<Uint8Array<ArrayBuffer>>;
}

// Node's fetch does not read files. A static import of node:fs would break bundles for browsers.
function nodeFiles(): NodeFiles | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: string) => NodeFiles | undefined };
  };
  return process?.getBuiltinModule?.('node:fs/promises');
}

async function compileAt(href: string): Promise<WebAssembly.Module> {
  const files = href.startsWith('file:') ? nodeFiles() : undefined;
  try {
    if (!files) return await compileResponse(await fetch(href));
    return await compileBytes(await files.readFile(new URL(href)));
  } catch (error) {
    if (error instanceof StrataError) throw error;
    throw new Missing(messageOf(error));
  }
}

/**
 * Compiles the package's own file, which Vite before version 8 leaves behind during development: it moves the code
 * into a cache folder, but serves the file from node_modules.
 */
async function compilePackagedAt(href: string): Promise<WebAssembly.Module> {
  const [, before, name] = /^(.*\/node_modules\/).*?([^/]+\.wasm)$/.exec(href) ?? [];
  const other = `${before}prompt-strata/dist/${name}`;
  const isMoved = before !== undefined && other !== href;
  return compileAt(href).catch((error: unknown) => {
    if (!(error instanceof Missing) || !isMoved) throw error;
    // The error names the first place: the other is a guess.
    return compileAt(other).catch((again: unknown) => {
      throw again instanceof Missing ? error : again;
    });
  });
}

async function compileSource(source: WasmSource, isPackaged: boolean): Promise<WebAssembly.Module> {
  if (isUrl(source)) return isPackaged ? compilePackagedAt(source.href) : compileAt(source.href);
  if (isBytes(source)) return compileBytes(source);
  if (isModule(source)) return source;
  const response: unknown = await Promise.resolve<unknown>(source);
  if (isResponse(response)) return compileResponse(response);
  throw invalidOption('/wasm', 'a WebAssembly.Module, its bytes, a Response, or a URL object');
}

/**
 * Compiles `given`, or without it the file of the package.
 *
 * @throws StrataError `wasm.not_found`, `wasm.not_compiled`, or `field.invalid` for another value
 */
export async function compileWasm(
  { source, inlineEntry }: PackagedWasm,
  given?: WasmSource,
): Promise<WebAssembly.Module> {
  let place = '';
  try {
    const chosen = given === undefined ? await source() : given;
    if (isUrl(chosen)) place = chosen.href;
    return await compileSource(chosen, given === undefined);
  } catch (error) {
    if (error instanceof StrataError) throw error;
    throw notFound(place, messageOf(error), inlineEntry);
  }
}
