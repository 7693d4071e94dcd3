// Writes repaired requests back into the bytes of their file.
import { UsageError } from './arguments.js';
import type { Checked } from './check.js';
import { joinBytes } from '../sdk/internal/bytes.js';
import { unwrapped } from '../requests/requests.js';

/**
 * Returns the file with its requests repaired. All other bytes are unchanged.
 *
 * @throws UsageError if the requests are in several files or in a HAR file or a cURL command
 */
export function repairedFile(checked: Checked[]): Uint8Array {
  const [first] = checked;
  if (!first) return new Uint8Array(0);
  const { source } = first.request;
  if (checked.some(({ request }) => request.source !== source)) {
    throw new UsageError('--repair accepts one file at a time.');
  }
  if (checked.some(({ request }) => request.quoted)) {
    throw new UsageError('--repair does not support HAR files and cURL commands.');
  }
  const pieces: Uint8Array[] = [];
  let copied = 0;
  for (const one of checked) {
    const { start, body, wrapped } = one.request;
    const begin = start + (wrapped?.before ?? 0);
    pieces.push(source.bytes.subarray(copied, begin), unwrapped(one.request, one.body));
    copied = start + body.length - (wrapped?.after ?? 0);
  }
  return joinBytes([...pieces, source.bytes.subarray(copied)]);
}
