// Finds and removes thought signatures in JSON text.
// In a JSON string the quotes would be escaped, so every match in JSON text is a field.
const field = /"thoughtSignature"\s*:\s*"([^"]*)"/g;
// Thought steps of the Interactions API have their signature under a shorter name.
const shownField = /"(?:thoughtSignature|signature)"\s*:\s*"([^"]*)"/g;
const removed = new RegExp(`,\\s*${field.source}|${field.source}\\s*,?\\s*`, 'g');

/** Returns all signatures in JSON text. */
export function signaturesIn(json: string): string[] {
  return [...json.matchAll(shownField)].map(([, signature = '']) => signature);
}

/** Returns the JSON text without signatures. All other characters are unchanged. */
export function withoutSignatures(json: string): string {
  return json.replace(removed, '');
}

/** Splits JSON text at its signatures: every second piece is one. */
export function splitSignatures(json: string): string[] {
  const pieces: string[] = [];
  let end = 0;
  for (const match of json.matchAll(shownField)) {
    const [whole, signature = ''] = match;
    const start = match.index + whole.length - signature.length - 1;
    pieces.push(json.slice(end, start), signature);
    end = start + signature.length;
  }
  return [...pieces, json.slice(end)];
}
