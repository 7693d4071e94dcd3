// Why this file exists: every choice the emulator makes comes from the request, so that the same
// request gets the same answer. Not for security.

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** FNV-1a over UTF-16 units, 32 bits. */
export function hash(text: string, basis = 0x811c9dc5): number {
  let state = basis;
  for (let i = 0; i < text.length; i++) {
    state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  }
  return state >>> 0;
}

/** A sequence of numbers that follows from a text alone. */
export class Dice {
  #state: number;

  constructor(seed: string) {
    this.#state = hash(seed);
  }

  /** 32 bits: a step of the Weyl sequence, mixed (MurmurHash3's finaliser). */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  }

  /** 0 to `limit` - 1. */
  below(limit: number): number {
    return this.next() % limit;
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }

  /** An id like Google's: lower case letters and digits. */
  id(length: number): string {
    let text = '';
    while (text.length < length) text += letters[this.below(letters.length)];
    return text;
  }
}
