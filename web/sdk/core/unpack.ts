// Decompresses a WebAssembly file that JavaScript contains.
import { bytesOfBase64 } from '../internal/bytes.js';

/** A WebAssembly file compressed with LZMA, and what decompresses it (`bindings/unpack.cpp`), both as base64. */
interface PackedWasm {
  text: string;
  /** The length of the file in bytes. */
  size: number;
  unpacker: string;
}

interface Unpacker {
  memory: WebAssembly.Memory;
  unpack: (source: number, target: number, size: number) => void;
}

const pageSize = 65_536;

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = bytesOfBase64(text);
  if (!bytes) throw new TypeError('The package was changed: a WebAssembly file is not base64');
  return bytes;
}

/**
 * Returns the bytes of a file: a view of the memory that only this call uses.
 *
 * @throws WebAssembly.CompileError where the runtime or a content security policy allows no WebAssembly
 */
export async function unpack(packed: PackedWasm): Promise<Uint8Array> {
  const bytes = bytesOf(packed.text);
  const module = await WebAssembly.compile(bytesOf(packed.unpacker));
  const { exports } = await WebAssembly.instantiate(module);
  const { memory, unpack } = exports as unknown as Unpacker;
  const source = memory.grow(Math.ceil((bytes.length + packed.size) / pageSize)) * pageSize;
  const target = source + bytes.length;
  new Uint8Array(memory.buffer).set(bytes, source);
  unpack(source, target, packed.size);
  return new Uint8Array(memory.buffer, target, packed.size);
}
