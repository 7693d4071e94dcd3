// Chooses what of a document leaves the page in a link or a file.
import { removeSecrets } from '../../../requests/remove-secrets.js';
import { placeholderSignature } from '../../../sdk/internal/placeholder-signature.js';
import type { PlaygroundDocument } from '../../state/playground-document.js';

// JSON may stand in a string of JSON, as in HAR files, or in quotes of cmd.exe.
const signature =
  /([\\^]{0,8}")(thoughtSignature|thought_signature)\1(\s{0,8}:\s{0,8})\1([^"]*?)\1/g;

/** Returns a text in which each thought signature is the placeholder that Google accepts in its place. */
export function withoutSignatures(text: string): string {
  return text.replace(
    signature,
    (_match, quote: string, name: string, colon: string) =>
      `${quote}${name}${quote}${colon}${quote}${placeholderSignature}${quote}`,
  );
}

/** Returns a copy of a JSON value in which `change` was applied to every string. */
function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value) as Value;
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, one]) => [name, mapTexts(one, change)]);
  return Object.fromEntries(members) as Value;
}

/** Whether a document holds thought signatures that can be left out. */
export const hasSignatures = (document: PlaygroundDocument): boolean =>
  JSON.stringify(mapTexts(document, withoutSignatures)) !== JSON.stringify(document);

/** What the user chose to share, and the key that must not be shared. */
export interface SharingOptions {
  signatures: boolean;
  apiKey: string;
}

/** Returns what is shared of a document: without credentials, a message not sent yet, and consent to create caches. */
export function sharedDocument(
  document: PlaygroundDocument,
  { signatures, apiKey }: SharingOptions,
): PlaygroundDocument {
  const clean = (text: string) => {
    const kept = signatures ? text : withoutSignatures(text);
    const { text: safe } = removeSecrets(kept);
    return apiKey === '' ? safe : safe.replaceAll(apiKey, '');
  };
  const { message: _unsent, ...sent } = document;
  const shared = mapTexts(sent, clean);
  return { ...shared, settings: { ...shared.settings, caching: false } };
}
