// Writes the id of a conversation, and the name of stored bytes, so that it can be part of a path or a key.
import { StrataError } from '../../internal/errors.js';

/**
 * Returns a name in percent encoding.
 *
 * @param longest the most characters of the encoded name
 * @throws StrataError `field.invalid` for a lone surrogate and for a name that is too long
 */
export function encodedName(
  name: string,
  longest: number,
  encode: (text: string) => string = encodeURIComponent,
): string {
  let encoded: string;
  try {
    encoded = encode(name);
  } catch {
    throw new StrataError(
      'field.invalid',
      'The id of a conversation must be Unicode text: this one has a lone surrogate, half of a character such as an emoji.',
    );
  }
  if (encoded.length <= longest) return encoded;
  throw new StrataError(
    'field.invalid',
    `The id of a conversation must have at most ${longest} characters in percent encoding, not ${encoded.length}. Use a hash of it.`,
  );
}
