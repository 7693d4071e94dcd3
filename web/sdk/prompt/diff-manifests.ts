// Compares two manifests: what changed between two requests, and how much of the common prefix is lost.
import { StrataError } from '../base/errors.js';
import type { Manifest } from '../types/manifest.js';
import type { ManifestSection, PromptManifest } from '../types/compiled-prompt.js';

/** A section that differs between the manifests. */
export interface SectionChange {
  id: string;
  change: 'added' | 'removed' | 'changed' | 'moved';
  before?: ManifestSection;
  after?: ManifestSection;
}

/** The size of a text; tokens are estimated. */
export interface PrefixSize {
  bytes: number;
  tokens: number;
}

/** The result of `diffManifests`. */
export interface ManifestDiff {
  /** Whether the stable sections are identical, byte for byte. */
  sameStable: boolean;
  /** Whether the dynamic sections are identical, byte for byte. */
  sameDynamic: boolean;
  /** Changes in the order of the first manifest, then the added sections. */
  sections: SectionChange[];
  /** Id of the first stable section that changed; nothing is shared from there on. */
  firstChange?: string;
  /** The common prefix of the stable sections. */
  shared: PrefixSize;
  /** The first manifest's stable sections after that prefix: what a cache held in vain. */
  lost: PrefixSize;
  /** The second manifest's stable sections after that prefix: billed at the full price. */
  fresh: PrefixSize;
  /** For requests: body fields (tools, generationConfig…) that were changed, added or removed. */
  fields?: string[];
  /** For requests: whether a CachedContent for the first does not fit the second. */
  cacheStale?: boolean;
}

type AnyManifest = Manifest | PromptManifest;
type Piece = Manifest['pieces'][number];

// Layers are compared by their sections; turns are not compared.
const layerPieces = ['systemInstruction', 'static', 'dynamic', 'buffered', 'trigger'];

const stableOf = ({ sections }: AnyManifest) =>
  sections.filter(({ stability }) => stability === 'stable');

function sizeOf(sections: readonly ManifestSection[]): PrefixSize {
  const sum = (key: 'bytes' | 'tokens') => sections.reduce((total, one) => total + one[key], 0);
  return { bytes: sum('bytes'), tokens: sum('tokens') };
}

const isSame = (a: ManifestSection | undefined, b: ManifestSection | undefined) =>
  a?.id === b?.id && a?.fingerprint === b?.fingerprint && a?.stability === b?.stability;

// Returns the ids that both have, in the order of `sections`: added or removed sections do not move others.
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
    else if (!isSame(old, now)) changes.push({ id, change: 'changed', before: old, after: now });
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
  throw new StrataError(
    'manifest.version',
    `Only manifests of version 1 can be compared, not version ${version}`,
  );
}

/**
 * Returns which sections changed from `a` to `b`, and how much of the stable prefix that loses. Both are
 * manifests of `compile` or both of `assemble`. Needs neither the prompts nor the WebAssembly module.
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
  while (shared < before.length && isSame(before[shared], after[shared])) shared++;
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
