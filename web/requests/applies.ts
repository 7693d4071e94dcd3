// Says which findings apply to the body of a cache.
import type { Diagnostic } from '../index.js';
import type { Request } from './request.js';

// The fields that a cachedContents.create body has in addition to those of a request.
const cacheFields = /^\/(ttl|expireTime|expire_time|displayName|display_name)$/;

/** Returns whether a finding of `lint` applies to this kind of request. */
export function applies({ code, path }: Diagnostic, { kind }: Request): boolean {
  if (kind !== 'cache') return true;
  return !(code === 'field.unknown' && cacheFields.test(path)) && code !== 'contents.empty';
}
