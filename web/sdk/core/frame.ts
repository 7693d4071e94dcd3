// Why this file exists: bytes in as one frame, bytes out as copies, through one buffer that both sides know:
// a stream makes thousands of calls, and each view that embind makes costs as much as a small answer.
import { joinBytes } from '../base/bytes.js';
import type { FramePart } from '../base/json-input.js';
import type { RawCore } from './raw.js';
import { decodeUtf8 } from '../base/utf8.js';

const encoder = new TextEncoder();
const empty = new Uint8Array(0);

// A UTF-16 unit takes at most three bytes of UTF-8.
const room = (part: FramePart): number =>
  typeof part === 'string' ? part.length * 3 : (part?.length ?? 0);

/** The buffer of bindings/exchange.h, as JavaScript sees it. */
export class Frame {
  readonly #core: RawCore;
  #bytes: Uint8Array = empty;
  #memory: DataView = new DataView(empty.buffer);

  constructor(core: RawCore) {
    this.#core = core;
  }

  /** Writes a count, the lengths, the parts. */
  write(parts: readonly FramePart[]): void {
    const head = 4 * (parts.length + 1);
    this.#reach(parts.reduce((size, part) => size + room(part), head));
    this.#putWord(0, parts.length);
    let at = head;
    parts.forEach((part, index) => {
      const length = this.#put(part, at);
      this.#putWord(index + 1, length);
      at += length;
    });
  }

  /** Copies what was answered: a document, and bytes of its own. */
  read(): { document: unknown; bytes: Uint8Array } {
    this.#reach(8);
    const count = this.#word(this.#bytes.byteOffset);
    const runs = this.#word(this.#bytes.byteOffset + 4);
    const document: unknown = JSON.parse(decodeUtf8(this.#run(runs)));
    if (count === 1) return { document, bytes: empty };
    const pieces = Array.from({ length: count - 1 }, (_, index) =>
      this.#run(runs + 8 * (index + 1)),
    );
    return { document, bytes: joinBytes(pieces) };
  }

  // Memory that grew has moved the buffer: its old view has no length any more.
  #reach(size: number): void {
    if (this.#bytes.length >= Math.max(size, 8)) return;
    this.#bytes = this.#core.buffer(size);
    this.#memory = new DataView(this.#bytes.buffer);
  }

  #put(part: FramePart, at: number): number {
    if (typeof part === 'string') return encoder.encodeInto(part, this.#bytes.subarray(at)).written;
    if (part) this.#bytes.set(part, at);
    return part?.length ?? 0;
  }

  #putWord(index: number, value: number): void {
    this.#memory.setUint32(this.#bytes.byteOffset + 4 * index, value, true);
  }

  #word(address: number): number {
    return this.#memory.getUint32(address, true);
  }

  #run(address: number): Uint8Array {
    return new Uint8Array(this.#bytes.buffer, this.#word(address), this.#word(address + 4));
  }
}
