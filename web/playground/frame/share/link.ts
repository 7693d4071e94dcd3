// Writes what is shared of a document into the fragment of a link, and reads it back, checked field by field.
import { removeSecrets } from '../../../requests/remove-secrets.js';
import {
  DocumentError,
  readDocument,
  type PlaygroundDocument,
} from '../../state/playground-document.js';
import { replaceSignatures } from '../../engine/signatures.js';
import { base64Url, bytesOfBase64, decodeUtf8, joinBytes } from '../../../sdk/internal/bytes.js';

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
interface SharingOptions {
  signatures: boolean;
  apiKey: string;
}

/** Returns what is shared of a document: without credentials, a message not sent yet, and consent to create caches. */
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
  const shared = mapTexts(sent, clean);
  return { ...shared, settings: { ...shared.settings, caching: false } };
}

/** The start of a link's fragment. The number is the version of the encoding. */
const prefix = '#d1.';

/** The longest fragment that is read and made. Browsers differ above it. */
const maxLinkLength = 1_000_000;

/** The longest document in a link, in bytes of JSON. */
const maxDocumentLength = 16_000_000;

/** A link that cannot be opened or made. The message says why, as whole sentences. */
export class LinkError extends Error {
  override name = 'LinkError';
}

// Returns what a transform makes of bytes. Throws a RangeError as soon as that is longer than `limit` bytes.
async function transformed(
  bytes: Uint8Array,
  transform: GenericTransformStream,
  limit = Infinity,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const blob = new Blob([bytes as BlobPart]);
  const reader = blob.stream().pipeThrough<Uint8Array>(transform).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > limit) {
      void reader.cancel().catch(() => {});
      throw new RangeError(`more than ${limit} bytes`);
    }
    chunks.push(value);
  }
  return joinBytes(chunks);
}

/**
 * Returns the fragment that holds a document, with its `#`.
 *
 * @throws LinkError if it would be longer than browsers take
 */
export async function linkOf(document: PlaygroundDocument): Promise<string> {
  const json = new TextEncoder().encode(JSON.stringify(document));
  const packed = await transformed(json, new CompressionStream('deflate-raw'));
  const link = prefix + base64Url(packed);
  if (link.length > maxLinkLength) {
    throw new LinkError(
      'This session is too large for a link. Copy the request and share it as a file.',
    );
  }
  return link;
}

function payloadOf(fragment: string): string {
  const [, version, payload = ''] = /^#d(\d+)\.(.*)$/s.exec(fragment) ?? [];
  if (version !== '1') {
    throw new LinkError(
      Number(version) > 1
        ? 'This link was made by a newer version of this page. Reload the page to get that version.'
        : 'This link was made by an older version of this page, which is no longer supported.',
    );
  }
  if (fragment.length > maxLinkLength) {
    throw new LinkError('This link is longer than this page opens. Ask for the session as a file.');
  }
  return payload;
}

const damaged = 'This link is damaged. Perhaps it was cut off when it was copied: copy it again.';

async function unpack(payload: string): Promise<unknown> {
  const isBase64Url = /^[\w-]+$/.test(payload);
  const bytes = isBase64Url && bytesOfBase64(payload.replaceAll('-', '+').replaceAll('_', '/'));
  if (!bytes) throw new LinkError(damaged);
  try {
    const inflate = new DecompressionStream('deflate-raw');
    return JSON.parse(decodeUtf8(await transformed(bytes, inflate, maxDocumentLength)));
  } catch (error) {
    if (error instanceof RangeError) {
      const size = `${maxDocumentLength / 1_000_000} MB`;
      throw new LinkError(`This link unpacks to more than ${size}, which this page does not open.`);
    }
    throw new LinkError(damaged);
  }
}

/**
 * Returns the document that a fragment holds. It never holds consent: caches are not created from it.
 *
 * @throws LinkError if the link is damaged, too large, or of another version
 */
export async function readLink(fragment: string): Promise<PlaygroundDocument> {
  const value = await unpack(payloadOf(fragment));
  try {
    const document = readDocument(value);
    return { ...document, settings: { ...document.settings, caching: false } };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new LinkError(error.message.replace(/^This session/, 'This link'));
  }
}
