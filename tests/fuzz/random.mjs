// Seeded pseudo-random choices: the same seed gives the same choices on every machine.

/** FNV-1a over UTF-16 units, finished so that near names give far numbers. */
function hash(text, start) {
  let value = start;
  for (let i = 0; i < text.length; ++i) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return value ^ (value >>> 13);
}

export class Random {
  #state;

  /** @param {string} seed */
  constructor(seed) {
    this.#state = [1, 2, 3, 4].map((salt) => hash(seed, Math.imul(salt, 0x9e3779b1)));
    for (let i = 0; i < 12; ++i) this.next();
  }

  /** A number from 0 up to, but not including, 1 (the generator sfc32). */
  next() {
    const [a, b, c, counter] = this.#state;
    const sum = (((a + b) | 0) + counter) | 0;
    const rotated = (c << 21) | (c >>> 11);
    this.#state = [b ^ (b >>> 9), (c + (c << 3)) | 0, (rotated + sum) | 0, (counter + 1) | 0];
    return (sum >>> 0) / 4294967296;
  }

  /** An integer from `low` to `high`, both included. */
  between(low, high) {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability) {
    return this.next() < probability;
  }

  /** @template T @param {readonly T[]} items @returns {T} */
  pick(items) {
    return items[this.between(0, items.length - 1)];
  }

  /** The value of one of the rows `[weight, value]`. */
  weighted(rows) {
    let left = this.next() * rows.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of rows) {
      left -= weight;
      if (left < 0) return value;
    }
    return rows.at(-1)[1];
  }

  /** `count` results of `make`. */
  times(count, make) {
    return Array.from({ length: count }, (_, i) => make(i));
  }
}
