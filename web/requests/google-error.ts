// Recognizes an error message of Google, given in place of a request, by the words of the catalogue.
import { isObject } from '../sdk/internal/json.js';

/** An error message of Google. */
export interface GoogleError {
  message: string;
  /** The rules that have its words; several if Google says the same for several faults. */
  codes: string[];
}

/** Words with less text than this fit too many messages. */
const leastWords = 20;
const maxLength = 4000;
const unspecific = 'Request contains an invalid argument.';

const literal = (text: string) => text.replace(/\{[^}]*\}/g, '');

// The words of a rule as a pattern, in which placeholders stand for any text.
function fits(words: string, message: string): boolean {
  const pieces = words
    .split(/\{[^}]*\}/)
    .map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(pieces.join('.*?'), 's').test(message);
}

/** Returns the message of an answer in JSON; undefined for any other text. */
function messageIn(text: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    const first: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
    const error = isObject(first) && !('contents' in first) ? first['error'] : undefined;
    return isObject(error) && typeof error['message'] === 'string' ? error['message'] : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the error message that a text is, with the rules that have its words; undefined if it is none. */
export function googleErrorIn(
  text: string,
  rules: { readonly [code: string]: { readonly google: readonly string[] } },
): GoogleError | undefined {
  if (text.length > maxLength) return undefined;
  const own = messageIn(text);
  const message = own ?? text.trim();
  const known = Object.entries(rules).flatMap(([code, { google }]) =>
    google
      .filter((words) => words !== unspecific && literal(words).length >= leastWords)
      .filter((words) => fits(words, message))
      .map((words) => ({ code, length: literal(words).length })),
  );
  const longest = Math.max(0, ...known.map(({ length }) => length));
  const codes = known.filter(({ length }) => length === longest).map(({ code }) => code);
  if (own === undefined && (codes.length === 0 || /^\s*[[{]/.test(text))) return undefined;
  // Rules of the Interactions API have the words of those for Contents, which most requests have.
  const common = codes.filter((code) => !/^(?:step|thought|input|interaction)\./.test(code));
  return { message, codes: [...new Set(common.length > 0 ? common : codes)] };
}
