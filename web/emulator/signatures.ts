// Why this file exists: emulated thought signatures. They look like real ones, always come out the
// same, say what they are to whoever decodes them, and show whether they came back undamaged.
import { Dice, hash } from './hash.js';
import type { JsonObject } from './types.js';
import { textField } from './wire.js';

const mark = 'prompt-strata emulated signature:';
const bodyBytes = 96;

/** Documented stand-ins, raw and in base64: both are in wide use. */
const dummies = [
  'context_engineering_is_the_way_to_go',
  'skip_thought_signature_validator',
].flatMap((text) => [text, btoa(text)]);

function checksum(body: string): string {
  return hash(body).toString(16).padStart(8, '0');
}

/** Base64 of the mark, bytes that follow from the dice, and a checksum over both. */
export function sign(dice: Dice): string {
  let body = mark;
  for (let i = 0; i < bodyBytes; i++) body += String.fromCharCode(dice.below(256));
  return btoa(body + checksum(body));
}

/** Whether the emulator made this signature, and nobody changed it since. */
function isEmulated(signature: string): boolean {
  let bytes: string;
  try {
    bytes = atob(signature.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return false;
  }
  const body = bytes.slice(0, -8);
  return body.startsWith(mark) && bytes.slice(-8) === checksum(body);
}

/** Whether a signature stands in these parts that the API would not know as its own. */
export function hasForeignSignature(parts: JsonObject[]): boolean {
  return parts
    .map((part) => textField(part, 'thoughtSignature'))
    .some((text) => text !== undefined && !dummies.includes(text) && !isEmulated(text));
}
