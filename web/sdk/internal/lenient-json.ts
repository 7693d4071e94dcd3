// Parses JSON as Google's parser does: with commas before ] and }, texts in single quotes, and keys without quotes.

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
