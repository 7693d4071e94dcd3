// Writes, seals and reads the records of signatures in a store.
import type { AnswerSignature } from '../../check/gateway-core.js';
import { hmacSha256 } from '../../sdk/internal/digest.js';
import { joinBytes, decodeValidUtf8, base64Url } from '../../sdk/internal/bytes.js';
import type { CallerSecrets } from './secrets.js';
import type { MemoryEntry, SignatureMemory } from './signature-memory.js';

// `until` of each record is its end of life, in case that a store does not heed it.

/** What the newest answer signed in a place. */
export interface PlaceRecord {
  until: number;
  /** The signature of the part. */
  own?: string;
  /** Names `own`. */
  signatureKey?: string;
  /** The signature of the empty text behind the part. */
  after?: string;
}

/** The signature of a call with an id, wherever it is. */
export interface CallRecord {
  until: number;
  own: string;
  signatureKey: string;
}

/** What a signature was given for. */
export interface OriginRecord {
  until: number;
  scope: string;
  part: string;
}

/** A record and its name among those of the caller. `tag` as in `MemoryEntry`. */
interface NamedRecord {
  name: string;
  record: PlaceRecord | CallRecord | OriginRecord;
  tag?: string;
}

/** Returns the records of an answer's signatures. `scope`: the service and the family of models. */
export function recordsOf(
  signatures: readonly AnswerSignature[],
  scope: string,
  until: number,
): NamedRecord[] {
  const places = new Map<string, PlaceRecord>();
  for (const { key, after, signature, signatureKey } of signatures) {
    const signed = after ? { after: signature } : { own: signature, signatureKey };
    places.set(key, { ...(places.get(key) ?? { until }), ...signed });
  }
  return [
    ...[...places].map(([name, record]) => ({ name, record })),
    ...signatures.flatMap((each) => [
      ...afterRecord(each, places.get(each.key)),
      ...callRecord(each, until),
      originRecord(each, scope, until),
    ]),
  ];
}

// For a part that has its signature, which is long for an image.
function afterRecord(
  { afterKey, after }: AnswerSignature,
  place: PlaceRecord | undefined,
): NamedRecord[] {
  if (after || place?.after === undefined) return [];
  const { own: _, ...record } = place;
  return [{ name: afterKey, record }];
}

// The tag makes the name ambiguous if equal calls with one id got two signatures.
function callRecord(given: AnswerSignature, until: number): NamedRecord[] {
  const { callKey, signature, signatureKey, after } = given;
  if (callKey === undefined || after) return [];
  const record = { until, own: signature, signatureKey };
  return [{ name: callKey, record, tag: signatureKey }];
}

function originRecord(given: AnswerSignature, scope: string, until: number): NamedRecord {
  const { signatureKey, partKey: part } = given;
  const record = { until, scope, part };
  return { name: signatureKey, record, tag: `${scope}/${part}` };
}

// NIST SP 800-38D: 96 random bits for each encryption.
const ivBytes = 12;

const encoder = new TextEncoder();

const algorithm = (iv: Uint8Array<ArrayBuffer>, name: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: encoder.encode(name),
});

/** Returns the encrypted text. It opens under the same key and the same name only. */
export async function seal(key: CryptoKey, name: string, text: string): Promise<Uint8Array> {
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
  const sealed = await crypto.subtle.encrypt(algorithm(iv, name), key, encoder.encode(text));
  return joinBytes([iv, new Uint8Array(sealed)]);
}

/** Returns the text; undefined if the value was not sealed with this key under this name, or was changed. */
export async function open(
  key: CryptoKey,
  name: string,
  value: Uint8Array,
): Promise<string | undefined> {
  const bytes = value.slice();
  try {
    const parameters = algorithm(bytes.subarray(0, ivBytes), name);
    const text = await crypto.subtle.decrypt(parameters, key, bytes.subarray(ivBytes));
    return decodeValidUtf8(new Uint8Array(text));
  } catch {
    return undefined;
  }
}

/** The records of one caller, as they are in a store. */
export class RecordStore {
  readonly #store: SignatureMemory;
  readonly #caller: CallerSecrets;
  readonly #now: () => number;
  readonly #values = new Map<string, Uint8Array>();

  constructor(store: SignatureMemory, caller: CallerSecrets, now: () => number) {
    this.#store = store;
    this.#caller = caller;
    this.#now = now;
  }

  /** Whether any record was loaded. */
  get hasAny(): boolean {
    return this.#values.size > 0;
  }

  /** Reads the values of records, all at once, because each access to a store may cross a network. */
  async load(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    const keys = names.map((name) => this.#caller.shard + name);
    for (const [key, value] of await this.#store.get(keys)) this.#values.set(key, value);
  }

  /**
   * Returns a record that was loaded and has not ended. Undefined also if it is ambiguous, or was not written by this
   * memory for this caller under this name.
   */
  async open<Named extends { until: number }>(name: string): Promise<Named | undefined> {
    const key = this.#caller.shard + name;
    const value = this.#values.get(key);
    if (!value?.length) return undefined;
    const text = await open(this.#caller.valueKey, key, value);
    if (text === undefined) return undefined;
    const record = JSON.parse(text) as Named;
    return record.until > this.#now() ? record : undefined;
  }

  /** Writes records. */
  async put(records: readonly NamedRecord[]): Promise<void> {
    await this.#store.put(await Promise.all(records.map((each) => this.#seal(each))));
  }

  async #seal({ name, record, tag }: NamedRecord): Promise<MemoryEntry> {
    const key = this.#caller.shard + name;
    const value = await seal(this.#caller.valueKey, key, JSON.stringify(record));
    const entry = { key, value, expiresAt: record.until };
    return tag === undefined ? entry : { ...entry, tag: await this.#hidden(tag) };
  }

  async #hidden(tag: string): Promise<string> {
    const code = await hmacSha256(this.#caller.secret, `tag ${tag}`);
    return base64Url(code.subarray(0, 16));
  }
}
