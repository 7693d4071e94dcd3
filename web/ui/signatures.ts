// Finds, removes and abbreviates thought signatures in JSON text.
import { element } from './dom.js';

// In a JSON string the quotes would be escaped, so every match in JSON text is a field.
const field = /"thoughtSignature"\s*:\s*"([^"]*)"/g;
const removed = new RegExp(`,\\s*${field.source}|${field.source}\\s*,?\\s*`, 'g');

/** Returns all signatures in JSON text. */
export function signaturesIn(json: string): string[] {
  return [...json.matchAll(field)].map(([, signature = '']) => signature);
}

/** Returns the JSON text without signatures. All other characters are unchanged. */
export function withoutSignatures(json: string): string {
  return json.replace(removed, '');
}

/** Shows a signature, abbreviated by CSS only: selecting and copying yields all of it. */
export function signatureView(signature: string): HTMLElement {
  const title = `thought signature, ${signature.length} characters`;
  return element('span', { className: 'signature', title, textContent: signature });
}

/** Returns JSON text with its signatures as elements. */
export function markSignatures(json: string): (Node | string)[] {
  const pieces: (Node | string)[] = [];
  let end = 0;
  for (const match of json.matchAll(field)) {
    const [whole, signature = ''] = match;
    const start = match.index + whole.length - signature.length - 1;
    pieces.push(json.slice(end, start), signatureView(signature));
    end = start + signature.length;
  }
  return [...pieces, json.slice(end)];
}
