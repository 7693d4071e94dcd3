// Why this file exists: two manifests tell what changed between two requests, and what of the first one's
// prefix the second can't share.
import { StrataError } from '../base/errors.js';
import type { Manifest } from '../types/manifest.js';
import type { ManifestSection, PromptManifest } from '../types/compiled-prompt.js';

/** A section that is not the same in both. */
export interface SectionChange {
  id: string;
  change: 'added' | 'removed' | 'changed' | 'moved';
  before?: ManifestSection;
  after?: ManifestSection;
}

/** Sizes of a text; tokens are estimates. */
export interface PrefixSize {
  bytes: number;
  tokens: number;
}

/** What `diffManifests` tells. */
export interface ManifestDiff {
  /** The stable half is the same, to the byte. */
  sameStable: boolean;
  sameDynamic: boolean;
  /** In the order of the first manifest, then what the second has more. */
  sections: SectionChange[];
  /** The first section of the stable half that is not as it was: from there on nothing is shared. */
  firstChange?: string;
  /** The stable half's beginning that both have. */
  shared: PrefixSize;
  /** The rest of the first one's stable half: what a cache held for nothing. */
  lost: PrefixSize;
  /** The rest of the second one's: what is read and paid in full. */
  fresh: PrefixSize;
  /** Of requests: fields of the body (tools, generationConfig…) that changed, came or went. */
  fields?: string[];
  /** Of requests: a CachedContent made for the first does not fit the second. */
  cacheStale?: boolean;
}

type AnyManifest = Manifest | PromptManifest;
type Piece = Manifest['pieces'][number];

// The texts of the layers are sections; turns are told by the thread.
const layerPieces = ['systemInstruction', 'static', 'dynamic', 'buffered', 'trigger'];

const stableOf = ({ sections }: AnyManifest) =>
  sections.filter(({ stability }) => stability === 'stable');

function sizeOf(sections: readonly ManifestSection[]): PrefixSize {
  const sum = (key: 'bytes' | 'tokens') => sections.reduce((total, one) => total + one[key], 0);
  return { bytes: sum('bytes'), tokens: sum('tokens') };
}

const same = (a: ManifestSection | undefined, b: ManifestSection | undefined) =>
  a?.id === b?.id && a?.fingerprint === b?.fingerprint && a?.stability === b?.stability;

// What both have, in the order that each has it: a section that only others came before did not move.
function orderOf(sections: readonly ManifestSection[], among: readonly ManifestSection[]) {
  const ids = new Set(among.map(({ id }) => id));
  return sections.filter(({ id }) => ids.has(id)).map(({ id }) => id);
}

function changesOf(before: ManifestSection[], after: ManifestSection[]): SectionChange[] {
  const [orderBefore, orderAfter] = [orderOf(before, after), orderOf(after, before)];
  const changes: SectionChange[] = [];
  for (const old of before) {
    const { id } = old;
    const now = after.find((section) => section.id === id);
    if (!now) changes.push({ id, change: 'removed', before: old });
    else if (!same(old, now)) changes.push({ id, change: 'changed', before: old, after: now });
    else if (orderBefore.indexOf(id) !== orderAfter.indexOf(id))
      changes.push({ id, change: 'moved', before: old, after: now });
  }
  const added = after.filter(({ id }) => !before.some((section) => section.id === id));
  return [...changes, ...added.map((section) => addition(section))];
}

const addition = (after: ManifestSection): SectionChange => ({
  id: after.id,
  change: 'added',
  after,
});

const fieldsOf = (pieces: readonly Piece[]) =>
  new Map(
    pieces
      .filter(({ name }) => !layerPieces.includes(name))
      .map(({ name, fingerprint }) => [name, fingerprint]),
  );

function requestChanges(a: AnyManifest, b: AnyManifest) {
  if (!('pieces' in a) || !('pieces' in b)) return {};
  const [before, after] = [fieldsOf(a.pieces), fieldsOf(b.pieces)];
  const names = new Set([...before.keys(), ...after.keys()]);
  const fields = [...names].filter((name) => before.get(name) !== after.get(name));
  return { fields, cacheStale: a.cache.key !== b.cache.key };
}

function checkVersion(manifest: AnyManifest): void {
  const { version } = Object(manifest);
  if (version === '1') return;
  throw new StrataError('manifest.version', `A manifest of version 1 is needed, not ${version}`);
}

/**
 * Says which sections changed from `a` to `b`, both manifests of `compile` or both of `assemble`, and what
 * that costs of the stable half. Neither the prompt nor the library that made them is needed.
 *
 * @throws StrataError `manifest.version` for a document of another version.
 *
 * @example
 * const { firstChange, lost } = diffManifests(yesterday, today);
 * console.log(`${firstChange} cost ${lost.tokens} cached tokens`);
 */
export function diffManifests(a: AnyManifest, b: AnyManifest): ManifestDiff {
  for (const each of [a, b]) checkVersion(each);
  const [before, after] = [stableOf(a), stableOf(b)];
  let shared = 0;
  while (shared < before.length && same(before[shared], after[shared])) shared++;
  const firstChange = (before[shared] ?? after[shared])?.id;
  return {
    sameStable: a.fingerprints.stable === b.fingerprints.stable,
    sameDynamic: a.fingerprints.dynamic === b.fingerprints.dynamic,
    sections: changesOf(a.sections, b.sections),
    ...(firstChange === undefined ? {} : { firstChange }),
    shared: sizeOf(before.slice(0, shared)),
    lost: sizeOf(before.slice(shared)),
    fresh: sizeOf(after.slice(shared)),
    ...requestChanges(a, b),
  };
}
