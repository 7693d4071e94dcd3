// Why this file exists: a repaired request goes out in the form it came in, with all other bytes as they were.
import { UsageError } from './arguments.js';
import type { Checked } from './check.js';
import { joinBytes } from '../sdk/base/bytes.js';
import { unwrapped } from './requests.js';

/**
 * The file with its requests repaired.
 *
 * @throws UsageError where requests can't be put back: in a HAR file, or in several files
 */
export function repairedFile(checked: Checked[]): Uint8Array {
  const [first] = checked;
  if (!first) return new Uint8Array(0);
  const { source } = first.request;
  if (checked.some(({ request }) => request.source !== source)) {
    throw new UsageError('--repair takes one file at a time.');
  }
  if (checked.some(({ request }) => request.quoted)) {
    throw new UsageError('--repair takes requests, not what a browser recorded of them.');
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
