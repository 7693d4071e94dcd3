// Computes digests and message authentication codes with the runtime's WebCrypto, and compares them.

const encoder = new TextEncoder();
const bytesFrom = (data: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  typeof data === 'string' ? encoder.encode(data) : new Uint8Array(data);

/** Returns the SHA-256 of the bytes, or of the UTF-8 of a text. */
export async function sha256(data: string | Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytesFrom(data)));
}

/** Returns the HMAC-SHA-256 of a message (RFC 2104). An empty key is not allowed. */
export async function hmacSha256(
  key: string | Uint8Array,
  message: string | Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', bytesFrom(key), algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, bytesFrom(message)));
}

/** Returns whether two arrays are equal. Reads every byte, so that the time taken reveals nothing about them. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  let difference = left.length ^ right.length;
  left.forEach((byte, index) => (difference |= byte ^ (right[index] ?? 0)));
  return difference === 0;
}

/** Returns whether two texts are equal, by their digests: neither their lengths nor their beginnings can be measured. */
export async function equalSecrets(left: string, right: string): Promise<boolean> {
  return equalBytes(await sha256(left), await sha256(right));
}

/** Returns the bytes as hexadecimal digits in lower case. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Returns the bytes that hexadecimal digits in either case name. */
export const fromHex = (digits: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
