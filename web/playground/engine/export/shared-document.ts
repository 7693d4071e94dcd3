// Chooses what of a document leaves the page in a link or a file.
import { removeSecrets } from '../../../requests/remove-secrets.js';
import type { PlaygroundDocument } from '../../state/playground-document.js';
import { replaceSignatures } from '../signature-text.js';

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
  JSON.stringify(mapTexts(document, (text) => replaceSignatures(text))) !==
  JSON.stringify(document);

/** What the user chose to share, and the key that must not be shared. */
export interface SharingOptions {
  signatures: boolean;
  apiKey: string;
}

/**
 * Returns what is shared of a document: without credentials, a message not sent yet, consent to create caches, and
 * earlier courses of the chat, which nobody sees.
 */
export function sharedDocument(
  document: PlaygroundDocument,
  { signatures, apiKey }: SharingOptions,
): PlaygroundDocument {
  const clean = (text: string) => {
    const kept = signatures ? text : replaceSignatures(text);
    const { text: safe } = removeSecrets(kept);
    return apiKey === '' ? safe : safe.replaceAll(apiKey, '');
  };
  const { message: _unsent, ...sent } = document;
  const { branches: _branches, ...chat } = document.chat;
  const shared = mapTexts({ ...sent, chat }, clean);
  return { ...shared, settings: { ...shared.settings, caching: false } };
}
