// Writes new user Contents. An existing Content is never parsed or serialized again.

// The API rejects a lone surrogate in strings and in names, also if it is escaped.
const loneSurrogate = /\p{Cs}/gu;
const toWellFormed = (text: string) => text.replace(loneSurrogate, '\uFFFD');

function wellFormedReplacer(_: string, value: unknown): unknown {
  if (typeof value === 'string') return toWellFormed(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const names = Object.keys(value);
  if (names.every((name) => toWellFormed(name) === name)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, member]) => [toWellFormed(name), member]));
}

/** Returns a user Content with these Parts, as JSON. A lone surrogate becomes U+FFFD. */
export function userContent(parts: object[]): string {
  const content = { role: 'user', parts };
  const json = JSON.stringify(content);
  // JSON.stringify escapes lone surrogates, and nothing else as \\ud….
  return json.includes('\\ud') ? JSON.stringify(content, wellFormedReplacer) : json;
}

/** Returns a user Content with one text, as JSON. */
export function textContent(text: string): string {
  return userContent([{ text }]);
}
