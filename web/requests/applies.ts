// Says which findings apply to the body of a request.
import type { Diagnostic } from '../index.js';
import { decodeDocument } from '../sdk/internal/bytes.js';
import type { Request } from './request.js';
import { firstBehind } from './written-string.js';

// The fields that a cachedContents.create body has in addition to those of a request.
const cacheFields = /^\/(ttl|expireTime|expire_time|displayName|display_name)$/;

function appliesToCache({ code, path }: Diagnostic): boolean {
  return !(code === 'field.unknown' && cacheFields.test(path)) && code !== 'contents.empty';
}

// Findings about a name or about the text itself, which do not depend on the value.
const notAboutValues = /^json\.|\.unknown/;

/** Returns whether a shell computes the value that a finding is about, so that nothing is known about it. */
function aboutComputed({ computed = [], body }: Request): (found: Diagnostic) => boolean {
  if (computed.length === 0) return () => false;
  const text = decodeDocument(body);
  return ({ code, range: [from, to] = [0, 0] }) => {
    const isScalar = text[from] !== '{' && text[from] !== '[';
    if (!isScalar || notAboutValues.test(code)) return false;
    const next = computed[firstBehind(computed, from)];
    return next !== undefined && next.from < to;
  };
}

/** Returns the findings of `lint` that apply to this request. Their positions are in UTF-16 units. */
export function applicable(diagnostics: readonly Diagnostic[], request: Request): Diagnostic[] {
  const isComputed = aboutComputed(request);
  return diagnostics.filter(
    (found) => (request.kind !== 'cache' || appliesToCache(found)) && !isComputed(found),
  );
}
