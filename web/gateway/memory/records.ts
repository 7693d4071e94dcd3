// Defines what the signature memory keeps about the signatures of an answer, and under which names.
import type { AnswerSignature, SignatureSite } from '../../sdk/types/gateway-core.js';

// `until` of each record is its end of life, in case that a store does not heed it.

/** The newest signature of a part in its place. */
export interface OwnRecord {
  until: number;
  own: string;
  signatureKey: string;
}

/** The newest signature of an empty text behind a part. */
export interface AfterRecord {
  until: number;
  after: string;
  /** What the part itself was signed with in the same answer. */
  ownKey?: string;
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
  record: OwnRecord | AfterRecord | CallRecord | OriginRecord;
  tag?: string;
}

// The first letters keep the kinds apart, whatever the core derives.
export const ownName = ({ key }: { key: string }): string => `p${key}`;
export const afterName = ({ key }: { key: string }): string => `a${key}`;
export const callName = (callKey: string): string => `c${callKey}`;
export const originName = (signatureKey: string): string => `s${signatureKey}`;

/** Returns the names of the records that have a signature for a part. */
export const signatureNames = (site: SignatureSite): string[] => [
  ownName(site),
  ...(site.callKey === undefined ? [] : [callName(site.callKey)]),
];

/** Returns the records of an answer's signatures. `scope`: the service and the family of models. */
export function recordsOf(
  signatures: readonly AnswerSignature[],
  scope: string,
  until: number,
): NamedRecord[] {
  const own = new Map(signatures.filter(({ after }) => !after).map((each) => [each.key, each]));
  return signatures.flatMap((each) => [
    each.after ? afterRecord(each, own.get(each.key), until) : ownRecord(each, until),
    ...callRecord(each, until),
    originRecord(each, scope, until),
  ]);
}

const ownRecord = (given: AnswerSignature, until: number): NamedRecord => {
  const { signature, signatureKey } = given;
  return { name: ownName(given), record: { until, own: signature, signatureKey } };
};

const afterRecord = (
  given: AnswerSignature,
  own: AnswerSignature | undefined,
  until: number,
): NamedRecord => {
  const record: AfterRecord = { until, after: given.signature };
  if (own) record.ownKey = own.signatureKey;
  return { name: afterName(given), record };
};

// The tag makes the name ambiguous if equal calls with one id got two signatures.
function callRecord(given: AnswerSignature, until: number): NamedRecord[] {
  const { callKey, signature, signatureKey, after } = given;
  if (callKey === undefined || after) return [];
  const record = { until, own: signature, signatureKey };
  return [{ name: callName(callKey), record, tag: signatureKey }];
}

function originRecord(given: AnswerSignature, scope: string, until: number): NamedRecord {
  const { signatureKey, partKey: part } = given;
  const record = { until, scope, part };
  return { name: originName(signatureKey), record, tag: `${scope}/${part}` };
}
