// Creates and verifies emulated thought signatures. They are deterministic, name the emulator when decoded,
// and contain a checksum that detects changes.
import { emulatedMarker as marker, isPlaceholder } from '../sdk/internal/placeholder-signature.js';
import { SeededRandom, hash, textField } from './wire.js';
import type { JsonObject } from './types.js';

const bodyBytes = 96;

function checksum(body: string): string {
  return hash(body).toString(16).padStart(8, '0');
}

/** Returns a signature: marker, pseudo-random bytes and a checksum over both, in base64. */
export function sign(random: SeededRandom): string {
  let body = marker;
  for (let i = 0; i < bodyBytes; i++) body += String.fromCharCode(random.below(256));
  return btoa(body + checksum(body));
}

/** Whether the emulator created this signature and it is unchanged. */
function isEmulated(signature: string): boolean {
  let bytes: string;
  try {
    bytes = atob(signature.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return false;
  }
  const body = bytes.slice(0, -8);
  return body.startsWith(marker) && bytes.slice(-8) === checksum(body);
}

/** Whether one of the Parts has a signature that is neither emulated nor a documented placeholder. */
export function hasForeignSignature(parts: JsonObject[]): boolean {
  return parts
    .map((part) => textField(part, 'thoughtSignature'))
    .some((text) => text !== undefined && !isPlaceholder(text) && !isEmulated(text));
}
