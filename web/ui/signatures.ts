// Finds, removes and abbreviates thought signatures in JSON text.
import { element } from './dom.js';

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

/** Shows a signature, abbreviated by CSS only: selecting and copying yields all of it. */
export function signatureView(signature: string): HTMLElement {
  const title = `thought signature, ${signature.length} characters`;
  return element('span', { className: 'signature', title, textContent: signature });
}

/** Returns JSON text with its signatures as elements. */
export const markSignatures = (json: string): (Node | string)[] =>
  splitSignatures(json).map((piece, index) => (index % 2 === 1 ? signatureView(piece) : piece));
