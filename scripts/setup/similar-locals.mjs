// Renumbers the local variables of functions so that gzip finds more of each function in those before it.
import { findLocals } from './wasm-locals.mjs';

// As gzip does: how far it looks back, and the lengths of its matches.
const windowSize = 32_000;
const [shortestMatch, longestMatch] = [3, 258];
// It takes fewer bits for three bytes than for a match that is further away than this.
const farForShortest = 4096;
// How many earlier places are compared for each match.
const candidates = 128;
// Each pair of variables is tried so often, in functions with at most so many of one type.
const rounds = 6;
const mostLocals = 60;
// The numbers below this take one byte.
const oneByte = 128;
const masked = 0x7f;

const distanceBits = Float64Array.from({ length: windowSize }, (_, distance) =>
  Math.log2(distance),
);

/** Estimates how many bits gzip takes for bytes that follow others. */
class Estimate {
  constructor(bodies) {
    const total = bodies.reduce((sum, { length }) => sum + length, 0);
    this.bytes = new Uint8Array(total);
    this.end = 0;
    this.latest = new Int32Array(2 ** 16).fill(-1);
    this.previous = new Int32Array(total);
    const counts = new Float64Array(256).fill(1);
    for (const body of bodies) for (const byte of body) counts[byte]++;
    this.literalBits = counts.map((count) => Math.min(12, 1.3 + Math.log2(total / count)));
  }

  hash(at) {
    const { bytes } = this;
    return (bytes[at] * 0x9e5f + bytes[at + 1] * 0x3d4d + bytes[at + 2] * 0x1f35) & 0xffff;
  }

  /** Returns how many bits the body takes after those that were added, or any number from `limit` on. */
  bitsOf(body, limit = Infinity) {
    this.bytes.set(body, this.end);
    const end = this.end + body.length;
    let bits = 0;
    for (let at = this.end; at < end && bits < limit;) {
      const { length, distance } = this.longestMatch(at, end);
      if (length < shortestMatch || (length === shortestMatch && distance > farForShortest)) {
        bits += this.literalBits[this.bytes[at++]];
      } else {
        bits += (length <= 10 ? 8 : 11) + distanceBits[distance];
        at += length;
      }
    }
    return bits;
  }

  longestMatch(at, end) {
    const best = { length: shortestMatch - 1, distance: 0 };
    if (at + shortestMatch > end) return best;
    const { bytes, previous } = this;
    const most = Math.min(longestMatch, end - at);
    let place = this.latest[this.hash(at)];
    for (let left = candidates; left > 0 && place >= 0 && at - place < windowSize; left--) {
      const longer = bytes[place + best.length] === bytes[at + best.length];
      let length = 0;
      while (longer && length < most && bytes[place + length] === bytes[at + length]) length++;
      if (length > best.length) {
        best.length = length;
        best.distance = at - place;
      }
      place = previous[place];
    }
    return best;
  }

  add(body) {
    this.bytes.set(body, this.end);
    const last = this.end + body.length - shortestMatch;
    for (let at = this.end; at <= last; at++) {
      const hash = this.hash(at);
      this.previous[at] = this.latest[hash];
      this.latest[hash] = at;
    }
    this.end += body.length;
  }
}

/** Yields the pairs of variables that have the same type and are no parameters. */
function* pairsOf(declared, parameters) {
  let first = parameters;
  for (const count of declared) {
    const end = first + count;
    if (count <= mostLocals)
      for (let one = first; one < end; one++)
        for (let other = one + 1; other < end; other++) yield [one, other];
    first = end;
  }
}

function swap(numbers, one, other) {
  [numbers[one], numbers[other]] = [numbers[other], numbers[one]];
}

/** Exchanges the numbers of two variables wherever the body then takes fewer bits. */
function renumber(body, parameters, estimate) {
  const { declared, uses } = findLocals(body);
  const variables = declared.reduce((sum, count) => sum + count, parameters);
  if (variables > oneByte) return;
  const numbers = Array.from({ length: variables }, (_, variable) => variable);
  const write = () => uses.forEach(({ at, variable }) => (body[at] = numbers[variable]));
  let least = estimate.bitsOf(body);
  for (let round = 0, before = Infinity; round < rounds && least < before; round++) {
    before = least;
    for (const [one, other] of pairsOf(declared, parameters)) {
      swap(numbers, one, other);
      write();
      const bits = estimate.bitsOf(body, least);
      if (bits < least) least = bits;
      else swap(numbers, one, other);
    }
  }
  write();
}

/**
 * Renumbers the local variables in the bodies, in place; their lengths stay.
 * @param {{ body: Uint8Array, parameters: number }[]} functions
 */
export function renumberLocals(functions) {
  const estimate = new Estimate(functions.map(({ body }) => body));
  for (const { body, parameters } of functions) {
    renumber(body, parameters, estimate);
    estimate.add(body);
  }
}

/**
 * Returns the body without the numbers of its local variables: what stays alike however they are numbered.
 * @param {{ body: Uint8Array, parameters: number }} function
 */
export function maskLocals({ body, parameters }) {
  const copy = Uint8Array.from(body);
  for (const { at, variable } of findLocals(body).uses)
    if (variable >= parameters && variable < oneByte) copy[at] = masked;
  return copy;
}
