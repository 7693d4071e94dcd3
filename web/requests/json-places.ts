// Finds where the values of a JSON text are written, in UTF-16 offsets. Each object and array is scanned once, when
// one of its values is asked for, so that the places of a long history take time in proportion to its length.
import { parseLenient } from '../sdk/base/lenient-json.js';

/** Where a value is written, from its first character to after its last. */
export interface Place {
  from: number;
  to: number;
}

const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13);

const isQuote = (code: number) => code === 34 || code === 39;
const backslash = 92;

/** Returns the first offset from `at` on that is no white space. */
function skipSpace(text: string, at: number): number {
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** Returns the offset after the string that begins at `at`. */
function skipString(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  for (at += 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quote) return at + 1;
  }
  return text.length;
}

const isOpening = (code: number) => code === 91 || code === 123;
const isClosing = (code: number) => code === 93 || code === 125;
const endsScalar = (code: number) => code === 44 || isClosing(code) || isSpace(code);

/** Returns the offset after the value that begins at `at`. */
function skipValue(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (isQuote(first)) return skipString(text, at);
  if (!isOpening(first)) {
    while (at < text.length && !endsScalar(text.charCodeAt(at))) at += 1;
    return at;
  }
  for (let depth = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (isQuote(code)) {
      at = skipString(text, at);
      continue;
    }
    if (isOpening(code)) depth += 1;
    else if (isClosing(code) && (depth -= 1) === 0) return at + 1;
    at += 1;
  }
  return text.length;
}

/** Returns the offset after the name of a member, which Google's parser takes without quotes too. */
function skipName(text: string, at: number): number {
  if (isQuote(text.charCodeAt(at))) return skipString(text, at);
  while (at < text.length && /[\w$]/.test(text[at] ?? '')) at += 1;
  return at;
}

function nameIn(text: string, from: number, to: number): string {
  const written = text.slice(from, to);
  try {
    return parseLenient(written) as string;
  } catch {
    return written;
  }
}

/** The places of a JSON text, which must be valid for Google's parser. */
export class JsonPlaces {
  readonly #text: string;
  #root: Place | undefined;
  /** The values of each object and array that was scanned, by the offset at which it begins. */
  readonly #members = new Map<number, Map<string, Place>>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The place of the whole value. */
  get root(): Place {
    if (!this.#root) {
      const from = skipSpace(this.#text, 0);
      this.#root = { from, to: skipValue(this.#text, from) };
    }
    return this.#root;
  }

  /** Returns the values of an object or an array by name or index; empty for other values. */
  members(place: Place): ReadonlyMap<string, Place> {
    let members = this.#members.get(place.from);
    if (!members) this.#members.set(place.from, (members = this.#scan(place)));
    return members;
  }

  /** Returns the place of the value at a JSON Pointer, or else that of its nearest parent. */
  nearest(pointer: string): Place {
    let place = this.root;
    for (const step of pointer.split('/').slice(1)) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      const next = this.members(place).get(name);
      if (!next) break;
      place = next;
    }
    return place;
  }

  #scan({ from, to }: Place): Map<string, Place> {
    const members = new Map<string, Place>();
    const text = this.#text;
    const isObject = text[from] === '{';
    if (!isObject && text[from] !== '[') return members;
    let at = skipSpace(text, from + 1);
    while (at < to - 1) {
      let name = String(members.size);
      if (isObject) {
        const end = skipName(text, at);
        name = nameIn(text, at, end);
        at = skipSpace(text, skipSpace(text, end) + 1);
      }
      const end = skipValue(text, at);
      // The core reads the first of two fields with the same name.
      if (!members.has(name)) members.set(name, { from: at, to: end });
      at = skipSpace(text, end);
      if (text[at] === ',') at = skipSpace(text, at + 1);
      else break;
    }
    return members;
  }
}
