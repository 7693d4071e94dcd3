// Reads JSON texts leniently or to the digit.

/** Returns whether a text is JSON; with `parse`, as that function reads it. */
export function isJson(text: string, parse: (text: string) => unknown = JSON.parse): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

const token =
  /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|'[^'\\]*(?:\\.[^'\\]*)*(?:'|\\?$)|(?<![[{,]\s*),(?=\s*[\]}])|(?<![\w$])(?!(?:true|false|null)\b)[A-Za-z_$][\w$]*(?=\s*:)/gs;

function strict(found: string): string {
  if (found === ',') return '';
  if (found.startsWith('"')) return found;
  if (!found.startsWith("'")) return `"${found}"`;
  const text = found.slice(1, -1).replace(/\\(.)|"/gs, (all, escaped?: string) => {
    if (escaped === undefined) return '\\"';
    return escaped === "'" ? escaped : all;
  });
  return `"${text}"`;
}

/**
 * Returns the value of a text that Google's JSON parser takes.
 *
 * @throws SyntaxError for another text
 */
export function parseLenient(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const json = text.replace(token, strict);
    if (json === text) throw error;
    return JSON.parse(json);
  }
}

// TypeScript does not declare it yet.
const { rawJSON } = JSON as { rawJSON?: (text: string) => object };

type Revive = (key: string, value: unknown, context: { source: string }) => unknown;

const keepDigits: Revive = (_, value, { source }) =>
  typeof value === 'number' && String(value) !== source ? rawJSON?.(source) : value;

/**
 * Parses JSON. Numbers that JSON.stringify would write differently, such as those that a double rounds, become objects
 * that it writes as they were. They are for values that are only passed on.
 *
 * @throws SyntaxError
 */
export const parseExact = (text: string): unknown =>
  JSON.parse(text, rawJSON && (keepDigits as () => unknown));
