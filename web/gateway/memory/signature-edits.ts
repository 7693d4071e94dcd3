// Decides which signatures of a request are set and which are removed.
import { isPlaceholder } from '../../sdk/base/placeholder-signature.js';
import type { RecordStore } from './record-store.js';
import {
  afterName,
  callName,
  originName,
  ownName,
  signatureNames,
  type AfterRecord,
  type CallRecord,
  type OriginRecord,
  type OwnRecord,
} from './records.js';
import type { SignatureEdit, SignatureSite } from './signature-core.js';

/** A part, and the empty texts behind it. There may be no part in front of the first empty texts of an answer. */
interface Place {
  key: string;
  part?: SignatureSite;
  empties: SignatureSite[];
}

/**
 * Returns the edits of a request: signatures that the model gave for these parts in this place, or with these ids, and
 * the removal of those that it gave for something else. `scope`: the service and the family of models.
 */
export async function findEdits(
  sites: readonly SignatureSite[],
  scope: string,
  records: RecordStore,
): Promise<SignatureEdit[]> {
  await records.load(sites.flatMap(firstNames));
  const isWrong = await Promise.all(sites.map((site) => isForeign(site, scope, records)));
  const wrong = new Set(sites.filter((_, i) => isWrong[i]));
  await records.load([...wrong].flatMap(signatureNames));
  const edits = placesOf(sites).map((place) => editsOf(place, wrong, records));
  return (await Promise.all(edits)).flat();
}

// The client sends a placeholder because it has no signature.
const lacksSignature = ({ signature }: SignatureSite): boolean =>
  signature === undefined || isPlaceholder(signature);

// The signature of a part that has one is not read again: those of images are long.
const firstNames = (site: SignatureSite): string[] => [
  afterName(site),
  ...(lacksSignature(site) ? signatureNames(site) : []),
  ...(site.signatureKey === undefined ? [] : [originName(site.signatureKey)]),
];

// Whether the model gave the signature for something else. What is not remembered is not judged.
async function isForeign(
  site: SignatureSite,
  scope: string,
  records: RecordStore,
): Promise<boolean> {
  if (site.signatureKey === undefined) return false;
  const origin = await records.open<OriginRecord>(originName(site.signatureKey));
  return origin !== undefined && (origin.scope !== scope || origin.part !== site.partKey);
}

/** Joins each part with the empty texts behind it, which have its key. */
function placesOf(sites: readonly SignatureSite[]): Place[] {
  const places: Place[] = [];
  for (const site of sites) {
    const { key } = site;
    const last = places.at(-1);
    if (!site.after) places.push({ key, part: site, empties: [] });
    else if (last?.key === key) last.empties.push(site);
    else places.push({ key, empties: [site] });
  }
  return places;
}

async function editsOf(
  place: Place,
  wrong: ReadonlySet<SignatureSite>,
  records: RecordStore,
): Promise<SignatureEdit[]> {
  const { part } = place;
  const needsOwn = part !== undefined && (wrong.has(part) || lacksSignature(part));
  const own = needsOwn ? await ownOf(part, records) : undefined;
  const edits = part ? editTo(part, own?.own, wrong.has(part)) : [];
  const ownKey = needsOwn ? own?.signatureKey : part?.signatureKey;
  const after = await records.open<AfterRecord>(afterName(place));
  // The empty text of another answer does not fit.
  const wanted = after?.ownKey === ownKey ? after?.after : undefined;
  return [...edits, ...editsOfEmpties(place, wanted, wrong)];
}

async function ownOf(
  site: SignatureSite,
  records: RecordStore,
): Promise<OwnRecord | CallRecord | undefined> {
  const own = await records.open<OwnRecord>(ownName(site));
  if (own || site.callKey === undefined) return own;
  return records.open<CallRecord>(callName(site.callKey));
}

// Sets the signature that is known, or removes one that is wrong.
function editTo(
  { content, part, signature }: SignatureSite,
  known: string | undefined,
  isWrong: boolean,
): SignatureEdit[] {
  if (known === signature) return [];
  if (known !== undefined) return [{ content, part, signature: known }];
  return isWrong ? [{ content, part }] : [];
}

// Restores the signature of an empty text in one that the client kept, or in a new one.
function editsOfEmpties(
  { part, empties }: Place,
  wanted: string | undefined,
  wrong: ReadonlySet<SignatureSite>,
): SignatureEdit[] {
  const isRight = (site: SignatureSite) => !wrong.has(site) && !lacksSignature(site);
  const needed = empties.some(isRight) ? undefined : wanted;
  const filled = needed === undefined ? undefined : empties[0];
  const edits = empties.flatMap((site) =>
    editTo(site, site === filled ? needed : undefined, wrong.has(site)),
  );
  if (needed === undefined || filled || !part) return edits;
  return [...edits, { content: part.content, part: part.part, signature: needed, after: true }];
}
