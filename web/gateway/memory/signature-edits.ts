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
import type { SignatureEdit, SignatureSite } from '../../sdk/types/gateway-core.js';

/** A part, and the empty texts behind it. There may be no part in front of the first empty texts of an answer. */
interface Place {
  key: string;
  part: SignatureSite | undefined;
  empties: SignatureSite[];
}

// Bounds what one request can ask of a store. Only the newest parts must have their signatures.
const maxSites = 5_000;

/** What the memory knows about the signature that a part carries. */
type Judgement = 'right' | 'wrong' | 'unknown';

/** What the edits of a request are found with. */
export interface EditSearch {
  /** The service and the family of models. */
  scope: string;
  records: RecordStore;
  /** Returns the paths of parallel calls with signatures, after the first call of a Content. */
  siblings: () => ReadonlySet<string>;
}

/**
 * Returns the edits of a request: signatures that the model gave for these parts in this place, or with these ids, and
 * the removal of those that it gave for something else.
 */
export async function findEdits(
  allSites: readonly SignatureSite[],
  { scope, records, siblings }: EditSearch,
): Promise<SignatureEdit[]> {
  const sites = allSites.slice(-maxSites);
  await records.load(sites.flatMap(firstNames));
  if (!records.hasAny) return [];
  const judged = await Promise.all(sites.map((site) => judge(site, scope, records)));
  const are = (judgement: Judgement) => sites.filter((_, i) => judged[i] === judgement);
  const wrong = new Set(are('wrong'));
  await records.load([...wrong].flatMap(signatureNames));
  const found = await Promise.all(placesOf(sites).map((place) => editsOf(place, wrong, records)));
  const edits = found.flat();
  return [...edits, ...strangerEdits(are('unknown'), [...are('right'), ...edits], siblings)];
}

// In the Content of an answer that is remembered, a call that was not signed first was not signed at all. Some clients
// sign all calls with one constant.
function strangerEdits(
  unknown: readonly SignatureSite[],
  known: readonly SignatureEdit[],
  siblings: () => ReadonlySet<string>,
): SignatureEdit[] {
  const pathOf = ({ content, part }: SignatureEdit) => `/contents/${content}/parts/${part}`;
  const remembered = new Set(
    known.filter(({ signature }) => signature).map((each) => each.content),
  );
  const changed = new Set(known.filter(({ after }) => !after).map(pathOf));
  const strangers = unknown.filter(
    (site) => remembered.has(site.content) && !changed.has(pathOf(site)),
  );
  if (strangers.length === 0) return [];
  const paths = siblings();
  return strangers
    .filter((site) => paths.has(pathOf(site)))
    .map(({ content, part }) => ({ content, part }));
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

// A signature is wrong if the model gave it for something else. What is not remembered is not known.
async function judge(
  site: SignatureSite,
  scope: string,
  records: RecordStore,
): Promise<Judgement | undefined> {
  if (site.signatureKey === undefined) return undefined;
  const origin = await records.open<OriginRecord>(originName(site.signatureKey));
  if (!origin) return 'unknown';
  return origin.scope === scope && origin.part === site.partKey ? 'right' : 'wrong';
}

/** Joins each part with the empty texts behind it, which have its key. */
function placesOf(sites: readonly SignatureSite[]): Place[] {
  const places: Place[] = [];
  for (const site of sites) {
    const { key } = site;
    const last = places.at(-1);
    if (!site.after) places.push({ key, part: site, empties: [] });
    else if (last?.key === key) last.empties.push(site);
    else places.push({ key, part: undefined, empties: [site] });
  }
  return places;
}

async function editsOf(
  { key, part, empties }: Place,
  wrong: ReadonlySet<SignatureSite>,
  records: RecordStore,
): Promise<SignatureEdit[]> {
  const isKept = (site: SignatureSite) => !wrong.has(site) && !lacksSignature(site);
  const needsOwn = part !== undefined && !isKept(part);
  const own = needsOwn ? await ownOf(part, records) : undefined;
  // A client may have moved the signature to the empty text.
  const isMoved = empties.some((site) => isKept(site) && site.signature === own?.own);
  const edits = part ? editTo(part, isMoved ? undefined : own?.own, wrong.has(part)) : [];
  const after = await records.open<AfterRecord>(afterName({ key }));
  // The empty text of another answer does not fit.
  const fits = after?.ownKey === (needsOwn ? own?.signatureKey : part?.signatureKey);
  const wanted = fits && !empties.some(isKept) ? after?.after : undefined;
  return [...edits, ...editsOfEmpties({ key, part, empties }, wanted, wrong)];
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
  const edits = empties.flatMap((site, i) =>
    editTo(site, i === 0 ? wanted : undefined, wrong.has(site)),
  );
  if (wanted === undefined || empties.length > 0 || !part) return edits;
  return [...edits, { content: part.content, part: part.part, signature: wanted, after: true }];
}
