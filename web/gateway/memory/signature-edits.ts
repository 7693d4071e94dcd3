// Decides which signatures of a request are set and which are removed.
import { isPlaceholder } from '../../sdk/internal/placeholder-signature.js';
import type { RecordStore, CallRecord, OriginRecord, PlaceRecord } from './record-store.js';
import type { GatewayRequest, SignatureEdit, SignatureSite } from '../../check/gateway-core.js';

/** A part, and the empty texts behind it. There may be no part in front of the first empty texts of an answer. */
interface Place {
  key: string;
  part: SignatureSite | undefined;
  empties: SignatureSite[];
}

/** What the memory knows about the signature that a part carries. */
type Judgement = 'right' | 'wrong' | 'unknown';

/** What the edits of a request are found with. */
interface EditSearch {
  /** The service and the family of models. */
  scope: string;
  family: string;
  records: RecordStore;
}

/**
 * Returns the edits of a request: signatures that the model gave for these parts in this place, or with these ids, and
 * the removal of those that it gave for something else. `keys` are those of its lookup.
 */
export async function findEdits(
  request: GatewayRequest,
  keys: readonly string[],
  { scope, family, records }: EditSearch,
): Promise<SignatureEdit[]> {
  await records.load(keys);
  if (!records.hasAny) return [];
  const sites = request.sites();
  const judged = await Promise.all(sites.map((site) => judge(site, scope, records)));
  const are = (judgement: Judgement) => sites.filter((_, i) => judged[i] === judgement);
  const wrong = new Set(are('wrong'));
  await records.load([...wrong].flatMap(signatureKeys));
  const found = await Promise.all(placesOf(sites).map((place) => editsOf(place, wrong, records)));
  const edits = found.flat();
  const siblings = () => signedSiblings(request, family);
  return [...edits, ...strangerEdits(are('unknown'), [...are('right'), ...edits], siblings)];
}

/** Returns the keys of the records that have a signature for a part. */
const signatureKeys = ({ key, callKey }: SignatureSite): string[] =>
  callKey === undefined ? [key] : [key, callKey];

// The paths of parallel calls with signatures, after the first call of a Content. The catalogue has rules for each
// family of models.
function signedSiblings(request: GatewayRequest, family: string): Set<string> {
  const { diagnostics } = request.prepare({ model: family });
  const found = diagnostics.filter(({ code }) => code === 'signature.on_sibling');
  return new Set(found.map(({ path }) => path));
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

// A signature is wrong if the model gave it for something else. What is not remembered is not known.
async function judge(
  site: SignatureSite,
  scope: string,
  records: RecordStore,
): Promise<Judgement | undefined> {
  if (site.signatureKey === undefined) return undefined;
  const origin = await records.open<OriginRecord>(site.signatureKey);
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
  const kept = part && isKept(part) ? part : undefined;
  const record = await records.open<PlaceRecord>(kept?.afterKey ?? key);
  const own = part && !kept ? await ownOf(part, record, records) : undefined;
  // A client may have moved the signature to the empty text.
  const isMoved = empties.some((site) => isKept(site) && site.signature === own?.own);
  const edits = part ? editTo(part, isMoved ? undefined : own?.own, wrong.has(part)) : [];
  // The empty text of another answer does not fit.
  const fits = record?.signatureKey === (kept ?? own)?.signatureKey;
  const wanted = fits && !empties.some(isKept) ? record?.after : undefined;
  return [...edits, ...editsOfEmpties({ key, part, empties }, wanted, wrong)];
}

/** Returns the record with the signature of a part; `record` is that of its place. */
async function ownOf(
  { callKey }: SignatureSite,
  record: PlaceRecord | undefined,
  records: RecordStore,
): Promise<PlaceRecord | undefined> {
  if (record?.own !== undefined || callKey === undefined) return record;
  return (await records.open<CallRecord>(callKey)) ?? record;
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
