// Exchanges bytes with WebAssembly through one shared buffer: a call writes its parts into it, and reads a copy of
// the reply. Reusing one view keeps calls cheap; each view that embind creates costs as much as a small reply.
import { joinBytes, decodeUtf8 } from '../internal/bytes.js';
import type { FramePart } from '../internal/json-input.js';
import type { RawCore } from './raw.js';

const encoder = new TextEncoder();
const empty = new Uint8Array(0);

// Returns the maximum size in bytes. A UTF-16 unit takes at most three bytes of UTF-8.
const maxSizeOf = (part: FramePart): number =>
  typeof part === 'string' ? part.length * 3 : (part?.length ?? 0);

/**
 * The shared buffer of bindings/exchange.h. All numbers are little-endian uint32.
 *
 *     call:   count | length × count | bytes of the parts, in order
 *     reply:  count | address of the runs; each run is address | length
 *
 * The first run of a reply is a JSON document, the others are the bytes that follow it.
 */
export class Frame {
  readonly #core: RawCore;
  #bytes: Uint8Array = empty;
  #memory: DataView = new DataView(empty.buffer);

  constructor(core: RawCore) {
    this.#core = core;
  }

  /** Writes the parts of a call. */
  write(parts: readonly FramePart[]): void {
    let offset = 4 * (parts.length + 1);
    let size = offset;
    for (const part of parts) size += maxSizeOf(part);
    this.#ensureSize(size);
    let index = 0;
    this.#writeWord(index, parts.length);
    for (const part of parts) {
      const length = part === undefined ? 0 : this.#writePart(part, offset);
      this.#writeWord(++index, length);
      offset += length;
    }
  }

  /** Returns a copy of the reply: its document, as `parse` reads it, and its bytes. */
  read(parse: (text: string) => unknown): { document: unknown; bytes: Uint8Array } {
    this.#ensureSize(8);
    const count = this.#readWord(this.#bytes.byteOffset);
    const runs = this.#readWord(this.#bytes.byteOffset + 4);
    const document = parse(decodeUtf8(this.#readRun(runs)));
    if (count === 1) return { document, bytes: empty };
    const pieces: Uint8Array[] = [];
    for (let index = 1; index < count; index++) pieces.push(this.#readRun(runs + 8 * index));
    return { document, bytes: joinBytes(pieces) };
  }

  // Gets a new view if the old one is too small. Growing memory detaches the old view, which then has the length 0.
  #ensureSize(size: number): void {
    if (this.#bytes.length >= Math.max(size, 8)) return;
    this.#bytes = this.#core.buffer(size);
    this.#memory = new DataView(this.#bytes.buffer);
  }

  #writePart(part: string | Uint8Array, offset: number): number {
    if (typeof part === 'string') {
      return encoder.encodeInto(part, this.#bytes.subarray(offset)).written;
    }
    this.#bytes.set(part, offset);
    return part.length;
  }

  #writeWord(index: number, value: number): void {
    this.#memory.setUint32(this.#bytes.byteOffset + 4 * index, value, true);
  }

  #readWord(address: number): number {
    return this.#memory.getUint32(address, true);
  }

  // Returns a view of one run.
  #readRun(address: number): Uint8Array {
    const length = this.#readWord(address + 4);
    return new Uint8Array(this.#bytes.buffer, this.#readWord(address), length);
  }
}
