// Encrypts the values of the signature memory with AES-GCM, each bound to its key.
import { joinBytes, decodeValidUtf8 } from '../../sdk/internal/bytes.js';

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
