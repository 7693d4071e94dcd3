// Finds text that repeats within a stream: equal chunks of 50 characters, by a rolling hash. Text in which nothing
// occurs twice, most text, is only sampled.

const chunkLength = 50;
const maxHistory = 5000;
// Repetitions further apart than this, or with many different texts between them, are style, not a loop.
const maxGap = 5 * chunkLength;
// Of a chunk, wherever it starts, `gramBlocks` whole blocks remain.
const blockLength = 8;
const gramBlocks = 5;
// Most answers are short, so the tables start small, and texts shorter than a chunk need none.
const minCapacity = 512;
const maxCapacity = 2 * maxHistory;
const factor = 0x01000193;
// Most buckets are empty, so that most searches end at the first look.
const bucketsPerPosition = 4;
// factor ** exponent, modulo 2 ** 32.
const powerOfFactor = (exponent: number) =>
  Array.from({ length: exponent }).reduce<number>((power) => Math.imul(power, factor), 1);

const powerOfTwo = (least: number) => 2 ** Math.ceil(Math.log2(least));

const topFactor = powerOfFactor(chunkLength);
const topBlockFactor = powerOfFactor(gramBlocks);

/** Returns the hash of the chunk at `position`, from that of the chunk before it. */
function nextHash(hash: number, text: Uint16Array, position: number): number {
  const first = text[position - 1] as number;
  const last = text[position + chunkLength - 1] as number;
  return (Math.imul(hash, factor) - Math.imul(first, topFactor) + last) | 0;
}

/**
 * Divides a stream into blocks, and looks for sequences of blocks (grams) that occur again. Of more chunks than a block
 * has characters, two start at the same place of a block: a loop of so many chunks has a gram twice.
 */
class RecurringBlocks {
  readonly #maxAge: number;
  readonly #mask: number;
  /** The characters so far, the hash of the last block as far as it is there, and that of the last gram. */
  #count = 0;
  #block = 0;
  #gram = 0;
  /** Blocks are counted from 1: the first one after a reset, and the last one whose gram occurred before. */
  #first = 1;
  #found = -Infinity;
  /** By the number of its last block: the hashes of a block and of a gram, and the gram before it in its bucket. */
  readonly #blocks: Int32Array;
  readonly #grams: Int32Array;
  readonly #older: Int32Array;
  /** The newest gram of each bucket. */
  readonly #newest: Int32Array;

  /** `length`: how many characters a loop can have. */
  constructor(length: number) {
    this.#maxAge = Math.ceil(Math.min(length, maxCapacity) / blockLength) + 1;
    const size = powerOfTwo(this.#maxAge + gramBlocks);
    this.#mask = size - 1;
    this.#blocks = new Int32Array(size);
    this.#grams = new Int32Array(size);
    this.#older = new Int32Array(size);
    this.#newest = new Int32Array(bucketsPerPosition * size);
  }

  reset(): void {
    this.#first = Math.floor(this.#count / blockLength) + 1;
    this.#found = -Infinity;
  }

  /** Writes a text into `characters`. Returns whether a loop may end in it. */
  write(text: string, characters: Uint16Array, offset: number): boolean {
    const start = this.#count / blockLength;
    let [block, count] = [this.#block, this.#count];
    // Runs for each character of each answer.
    for (let i = 0; i < text.length; i++) {
      const character = text.charCodeAt(i);
      characters[offset + i] = character;
      block = (Math.imul(block, factor) + character) | 0;
      if (++count % blockLength !== 0) continue;
      this.#add(block, count / blockLength);
      block = 0;
    }
    [this.#block, this.#count] = [block, count];
    return this.#found >= start - this.#maxAge;
  }

  #add(block: number, number: number): void {
    const [mask, grams, older] = [this.#mask, this.#grams, this.#older];
    const oldest = Math.imul(this.#blocks[(number - gramBlocks) & mask] as number, topBlockFactor);
    const gram = (Math.imul(this.#gram, factor) + block - oldest) | 0;
    const at = number & mask;
    const bucket = gram & (this.#newest.length - 1);
    const least = Math.max(number - this.#maxAge, this.#first + gramBlocks - 1);
    let same = this.#newest[bucket] as number;
    this.#blocks[at] = block;
    this.#grams[at] = this.#gram = gram;
    older[at] = same;
    this.#newest[bucket] = number;
    while (same >= least && grams[same & mask] !== gram) same = older[same & mask] as number;
    if (same >= least) this.#found = number;
  }
}

/** The newest text of a stream and the places of its chunks. Positions are indexes of `#text`. */
export class Repeats {
  readonly #times: number;
  /** Undefined before the first chunk, and for so few times that each character is to be examined. */
  #blocks: RecurringBlocks | undefined;
  /** The text until it has the length of a chunk. */
  #beginning = '';
  #text = new Uint16Array(0);
  #length = 0;
  /** The first position that was not examined, and the hash of the chunk before it. */
  #position = 0;
  #hash = 0;
  #hashes = new Int32Array(0);
  /** The newest chunk of each bucket, and for each chunk the one before it in its bucket; -1: none. */
  #newest = new Int16Array(0);
  #older = new Int16Array(0);

  /** `times`: how often a chunk must occur. */
  constructor(times: number) {
    this.#times = Number.isInteger(times) ? times : Infinity;
  }

  /** Forgets the text so far. */
  reset(): void {
    // Few buckets are used where each line of a list or a table resets.
    const [hashes, newest] = [this.#hashes, this.#newest];
    for (let position = 0; position < this.#position; position++)
      newest[(hashes[position] as number) & (newest.length - 1)] = -1;
    this.#blocks?.reset();
    this.#beginning = '';
    this.#length = 0;
    this.#position = 0;
  }

  /** Adds text. Returns true if it completes a loop. */
  add(text: string): boolean {
    if (this.#length > 0) return this.#append(text);
    this.#beginning += text;
    return this.#beginning.length >= chunkLength && this.#append(this.#beginning);
  }

  #append(text: string): boolean {
    const surplus = this.#length + text.length - maxHistory;
    // Not for each piece: the cost is linear in the remembered text.
    const added = surplus > maxHistory ? this.#forget(surplus, text) : text;
    if (this.#length + added.length > this.#text.length) this.#grow(this.#length + added.length);
    const mayLoop = this.#write(added);
    this.#length += added.length;
    return mayLoop && this.#examine();
  }

  // Returns whether a loop may end in the text.
  #write(text: string): boolean {
    const length = maxGap * (this.#times - 1) + chunkLength;
    if (this.#times > blockLength) this.#blocks ??= new RecurringBlocks(length);
    if (this.#blocks) return this.#blocks.write(text, this.#text, this.#length);
    for (let i = 0; i < text.length; i++) this.#text[this.#length + i] = text.charCodeAt(i);
    return true;
  }

  // Examines all chunks since the last time. Returns true if there is a loop.
  #examine(): boolean {
    this.#growTables(this.#text.length);
    const [characters, hashes, newest, older] = [
      this.#text,
      this.#hashes,
      this.#newest,
      this.#older,
    ];
    const end = this.#length - chunkLength;
    const mask = newest.length - 1;
    let hash = this.#hash;
    for (let position = this.#position; position <= end; position++) {
      hash = position === 0 ? this.#firstHash() : nextHash(hash, characters, position);
      hashes[position] = hash;
      const bucket = hash & mask;
      let candidate = newest[bucket] as number;
      older[position] = candidate;
      while (candidate >= 0 && hashes[candidate] !== hash) candidate = older[candidate] as number;
      if ((candidate >= 0 || this.#times <= 1) && this.#isLoop(position, candidate)) return true;
      newest[bucket] = position;
    }
    this.#hash = hash;
    this.#position = Math.max(this.#position, end + 1);
    return false;
  }

  // Drops the first characters of the text; returns what remains of the added text.
  #forget(surplus: number, added: string): string {
    const dropped = Math.min(surplus, this.#length);
    this.#text.copyWithin(0, dropped, this.#length);
    this.#hashes.copyWithin(0, dropped, this.#length);
    this.#length -= dropped;
    const examined = Math.max(0, this.#position - dropped);
    this.#position = examined;
    this.#newest.fill(-1);
    this.#insertAll();
    this.#hash = this.#hashes[Math.max(0, examined - 1)] ?? 0;
    return added.slice(surplus - dropped);
  }

  #firstHash(): number {
    const first = this.#text.subarray(0, chunkLength);
    return first.reduce((hash, character) => (Math.imul(hash, factor) + character) | 0, 0);
  }

  #grow(length: number): void {
    const capacity = Math.min(powerOfTwo(Math.max(length, minCapacity)), maxCapacity);
    const text = new Uint16Array(capacity);
    text.set(this.#text);
    this.#text = text;
  }

  // Makes the tables as large as the text.
  #growTables(capacity: number): void {
    if (this.#hashes.length === capacity) return;
    const hashes = new Int32Array(capacity);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    this.#older = new Int16Array(capacity);
    this.#newest = new Int16Array(bucketsPerPosition * powerOfTwo(capacity)).fill(-1);
    this.#insertAll();
  }

  // Inserts all examined positions into empty buckets.
  #insertAll(): void {
    const [hashes, newest, older] = [this.#hashes, this.#newest, this.#older];
    const mask = newest.length - 1;
    for (let position = 0; position < this.#position; position++) {
      const bucket = (hashes[position] as number) & mask;
      older[position] = newest[bucket] as number;
      newest[bucket] = position;
    }
  }

  // Returns the newest position of the same chunk, at `candidate` or before it in its bucket; -1: none.
  #sameChunk(position: number, candidate: number): number {
    const hash = this.#hashes[position];
    for (let at = candidate; at >= 0; at = this.#older[at] as number) {
      if (this.#hashes[at] === hash && this.#isSame(at, position)) return at;
    }
    return -1;
  }

  #isSame(a: number, b: number): boolean {
    for (let i = 0; i < chunkLength; i++) if (this.#text[a + i] !== this.#text[b + i]) return false;
    return true;
  }

  #isLoop(position: number, newest: number): boolean {
    let first = position;
    let count = 1;
    const between = new Set<string>();
    for (let at = this.#sameChunk(position, newest); at >= 0 && count < this.#times; count++) {
      between.add(String.fromCharCode(...this.#text.subarray(at, first)));
      first = at;
      at = this.#sameChunk(position, this.#older[at] ?? -1);
    }
    if (count < this.#times || (position - first) / (count - 1) > maxGap) return false;
    return between.size <= this.#times / 2;
  }
}
