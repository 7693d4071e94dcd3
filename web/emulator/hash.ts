// Derives pseudo-random choices from a text, so that the same request gets the same answer. Not for security.

const idCharacters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Returns the 32-bit FNV-1a hash of the UTF-16 code units. */
export function hash(text: string, basis = 0x811c9dc5): number {
  let state = basis;
  for (let i = 0; i < text.length; i++) {
    state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  }
  return state >>> 0;
}

/** A pseudo-random number generator seeded with a text. */
export class SeededRandom {
  #state: number;

  constructor(seed: string) {
    this.#state = hash(seed);
  }

  /** Returns the next 32 bits: a Weyl sequence through MurmurHash3's finalizer. */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  }

  /** Returns an integer from 0 to `limit` - 1. */
  below(limit: number): number {
    return this.next() % limit;
  }

  /** Returns one of the choices. */
  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }

  /** Returns an ID of the form that Google uses: lowercase letters and digits. */
  id(length: number): string {
    let text = '';
    while (text.length < length) text += idCharacters[this.below(idCharacters.length)];
    return text;
  }
}
