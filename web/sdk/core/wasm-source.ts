// Compiles the WebAssembly file of a module, wherever it comes from.
import '../types/platform.js';
import { messageOf } from '../internal/messages.js';
import { StrataError } from '../internal/errors.js';
import { invalidOption } from '../internal/options.js';
import { builtinModule } from './builtin-module.js';

/** A compiled module, the bytes of the file, a Response with them, or the URL of the file. */
export type WasmSource =
  WebAssembly.Module | ArrayBuffer | ArrayBufferView | Response | PromiseLike<Response> | URL;

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

function notFound(place: string, reason: string): StrataError {
  const message =
    `The WebAssembly file of load({ wasm }) was not found${place && ` at ${place}`}: ${reason}. ` +
    'Without the option `wasm`, the package uses the one that it contains.';
  return new StrataError('wasm.not_found', message);
}

function notCompiled(cause: unknown): StrataError {
  const message =
    `The WebAssembly file cannot be compiled: ${messageOf(cause)}. A content security policy must contain ` +
    `script-src 'wasm-unsafe-eval'; Workers need a WebAssembly.Module: load({ wasm }). See docs/bundlers.md.`;
  return new StrataError('wasm.not_compiled', message, [], cause);
}

/** Runs what compiles WebAssembly. @throws StrataError `wasm.not_compiled` */
export async function compiled<Result>(compile: () => Result | Promise<Result>): Promise<Result> {
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

async function compileAt(href: string): Promise<WebAssembly.Module> {
  // Node's fetch does not read files.
  const isFile = href.startsWith('file:');
  const files = isFile ? builtinModule<NodeFiles>('node:fs/promises') : undefined;
  try {
    if (!files) return await compileResponse(await fetch(href));
    return await compileBytes(await files.readFile(new URL(href)));
  } catch (error) {
    if (error instanceof StrataError) throw error;
    throw new Missing(messageOf(error));
  }
}

async function compileSource(source: WasmSource): Promise<WebAssembly.Module> {
  if (isUrl(source)) return compileAt(source.href);
  if (isBytes(source)) return compileBytes(source);
  if (isModule(source)) return source;
  const response: unknown = await Promise.resolve<unknown>(source);
  if (isResponse(response)) return compileResponse(response);
  throw invalidOption('/wasm', 'a WebAssembly.Module, its bytes, a Response, or a URL object');
}

/**
 * Compiles a WebAssembly file.
 *
 * @throws StrataError `wasm.not_found`, `wasm.not_compiled`, or `field.invalid` for another value
 */
export async function compileWasm(source: WasmSource): Promise<WebAssembly.Module> {
  try {
    return await compileSource(source);
  } catch (error) {
    if (error instanceof StrataError) throw error;
    throw notFound(isUrl(source) ? source.href : '', messageOf(error));
  }
}
