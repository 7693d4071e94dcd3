// Defines what the signature memory keeps about the signatures of an answer. The names are keys of the core.
import type { AnswerSignature } from '../../sdk/types/gateway-core.js';

// `until` of each record is its end of life, in case that a store does not heed it.

/** What the newest answer signed in a place. */
export interface PlaceRecord {
  until: number;
  /** The signature of the part. */
  own?: string;
  /** Names `own`. */
  signatureKey?: string;
  /** The signature of the empty text behind the part. */
  after?: string;
}

/** The signature of a call with an id, wherever it is. */
export interface CallRecord {
  until: number;
  own: string;
  signatureKey: string;
}

/** What a signature was given for. */
export interface OriginRecord {
  until: number;
  scope: string;
  part: string;
}

/** A record and its name among those of the caller. `tag` as in `MemoryEntry`. */
export interface NamedRecord {
  name: string;
  record: PlaceRecord | CallRecord | OriginRecord;
  tag?: string;
}

/** Returns the records of an answer's signatures. `scope`: the service and the family of models. */
export function recordsOf(
  signatures: readonly AnswerSignature[],
  scope: string,
  until: number,
): NamedRecord[] {
  const places = new Map<string, PlaceRecord>();
  for (const { key, after, signature, signatureKey } of signatures) {
    const signed = after ? { after: signature } : { own: signature, signatureKey };
    places.set(key, { ...(places.get(key) ?? { until }), ...signed });
  }
  return [
    ...[...places].map(([name, record]) => ({ name, record })),
    ...signatures.flatMap((each) => [
      ...afterRecord(each, places.get(each.key)),
      ...callRecord(each, until),
      originRecord(each, scope, until),
    ]),
  ];
}

// For a part that has its signature, which is long for an image.
function afterRecord(
  { afterKey, after }: AnswerSignature,
  place: PlaceRecord | undefined,
): NamedRecord[] {
  if (after || place?.after === undefined) return [];
  const { own: _, ...record } = place;
  return [{ name: afterKey, record }];
}

// The tag makes the name ambiguous if equal calls with one id got two signatures.
function callRecord(given: AnswerSignature, until: number): NamedRecord[] {
  const { callKey, signature, signatureKey, after } = given;
  if (callKey === undefined || after) return [];
  const record = { until, own: signature, signatureKey };
  return [{ name: callKey, record, tag: signatureKey }];
}

function originRecord(given: AnswerSignature, scope: string, until: number): NamedRecord {
  const { signatureKey, partKey: part } = given;
  const record = { until, scope, part };
  return { name: signatureKey, record, tag: `${scope}/${part}` };
}
