// Why this file exists: thought signatures are long and opaque. They are shown short and copied whole,
// and one experiment sends a request without them.
import { element } from './dom.js';

// Inside a JSON string its quotes would be escaped, so what it finds in JSON text is always a field.
const field = /"thoughtSignature"\s*:\s*"([^"]*)"/g;
const removed = new RegExp(`,\\s*${field.source}|${field.source}\\s*,?\\s*`, 'g');

/** All signatures that stand in JSON text. */
export function signaturesIn(json: string): string[] {
  return [...json.matchAll(field)].map(([, signature = '']) => signature);
}

/** The same JSON text, its other bytes untouched, as a client leaves it that keeps text and calls only. */
export function withoutSignatures(json: string): string {
  return json.replace(removed, '');
}

/** A signature, shortened by style alone: what is selected and copied is all of it. */
export function signatureView(signature: string): HTMLElement {
  const title = `thought signature, ${signature.length} characters`;
  return element('span', { className: 'signature', title, textContent: signature });
}

/** JSON text with its signatures shortened for the eye. */
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
