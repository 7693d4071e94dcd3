// Keeps the keys that the gateway sends out of errors that an answer holds. An answer itself is never changed.
import { joinBytes } from '../sdk/internal/bytes.js';
import type { BodyReader } from '../sdk/client/http.js';

/** A place where a secret stands or may begin. */
interface Found {
  at: number;
  /** The byte behind it; undefined if the bytes end within it. */
  end: number | undefined;
}

const backslash = 0x5c;
const encoder = new TextEncoder();
const replacement = encoder.encode('[api key]');
const none = new Uint8Array();

/** The ways in which JSON may write a character of a secret, in lower case; the character itself is the first. */
function formsOf(character: string): Uint8Array[] {
  const escape = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const short = '"\\/'.includes(character) ? [`\\${character}`] : [];
  return [character, ...short, escape].map((form) => encoder.encode(form));
}

/** A secret as the ways in which each of its characters may be written. */
type Secret = readonly (readonly Uint8Array[])[];

const secretOf = (text: string): Secret => [...text].map(formsOf);

// The hexadecimal digits of an escape may be capitals. `form` is longer than one byte only for escapes.
const isSame = (given: number | undefined, form: Uint8Array, index: number): boolean => {
  const wanted = form[index] ?? 0;
  return given === wanted || (index > 1 && wanted >= 0x61 && given === wanted - 0x20);
};

/** Returns the length of the form that stands at `at`, 0 if there is none, or -1 if the bytes end within one. */
function lengthAt(bytes: Uint8Array, at: number, forms: readonly Uint8Array[]): number {
  for (const form of forms) {
    let length = 0;
    while (length < form.length && isSame(bytes[at + length], form, length)) length++;
    if (length === form.length) return length;
    if (at + length >= bytes.length) return -1;
  }
  return 0;
}

function foundAt(bytes: Uint8Array, at: number, secret: Secret): Found | undefined {
  let end = at;
  for (const forms of secret) {
    const length = lengthAt(bytes, end, forms);
    if (length < 0) return { at, end: undefined };
    if (length === 0) return undefined;
    end += length;
  }
  return { at, end };
}

function findSecret(bytes: Uint8Array, secret: Secret, from: number): Found | undefined {
  const first = secret[0]?.[0]?.[0];
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] !== first && bytes[at] !== backslash) continue;
    const found = foundAt(bytes, at, secret);
    if (found) return found;
  }
  return undefined;
}

/** Returns bytes without the secrets, also where JSON escapes their characters. */
export function withoutSecrets(bytes: Uint8Array, secrets: readonly string[]): Uint8Array {
  let left = bytes;
  for (const secret of secrets.map(secretOf)) {
    const kept: Uint8Array[] = [];
    let from = 0;
    let found = findSecret(left, secret, 0);
    while (found?.end !== undefined) {
      kept.push(left.subarray(from, found.at), replacement);
      from = found.end;
      found = findSecret(left, secret, from);
    }
    if (kept.length > 0) left = joinBytes([...kept, left.subarray(from)]);
  }
  return left;
}

/**
 * Holds bytes of an answer back from where a secret stands, until it is known whether they are of an error. Whoever
 * made a model say the gateway's key knows it already, so that answers pass as they are, only later.
 */
export class KeyGuard {
  readonly #texts: readonly string[];
  readonly #secrets: readonly Secret[];
  readonly #held: Uint8Array[] = [];
  #isWaiting = false;

  constructor(secrets: readonly string[]) {
    this.#texts = secrets;
    this.#secrets = secrets.map(secretOf);
  }

  /** Takes the next bytes. Returns those that may leave. `isError`: the answer has turned out to be an error. */
  take(bytes: Uint8Array, isError: boolean): Uint8Array {
    if (this.#secrets.length === 0) return bytes;
    this.#held.push(bytes);
    if (this.#isWaiting && !isError) return none;
    const all = this.#held.length === 1 ? bytes : joinBytes(this.#held);
    this.#held.length = 0;
    const passed = isError ? withoutSecrets(all, this.#texts) : all;
    const found = this.#secrets
      .map((secret) => findSecret(passed, secret, 0))
      .filter((each) => each !== undefined)
      .sort((a, b) => a.at - b.at)[0];
    this.#isWaiting = found?.end !== undefined;
    if (!found) return passed;
    this.#held.push(passed.subarray(found.at));
    return passed.subarray(0, found.at);
  }

  /**
   * Reads the answer until bytes may leave, because a pull of a stream that brings nothing is not repeated. Returns
   * undefined at its end. `see` gets each piece first, and returns whether the answer has turned out to be an error.
   */
  async read(
    reader: BodyReader | undefined,
    see: (bytes: Uint8Array) => boolean | Promise<boolean>,
  ): Promise<Uint8Array | undefined> {
    for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
      const passed = this.take(read.value, await see(read.value));
      if (passed.length > 0) return passed;
    }
    return undefined;
  }

  /** Returns what is held at the end of the answer. */
  end(isError: boolean): Uint8Array {
    const rest = joinBytes(this.#held);
    this.#held.length = 0;
    return isError ? withoutSecrets(rest, this.#texts) : rest;
  }
}
