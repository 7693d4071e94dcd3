// Explains the first byte that differs between two requests.
import type { Assembled, Json } from '../../index.js';
import type { Engines } from './engines.js';
import { spansOf, type Span } from './layers.js';
import type { RequestChange, RequestChoice } from './prompt-result.js';
import type { Variables } from './prompt-sources.js';
import type { RequestSeries } from './request-series.js';

/** One request of the comparison, with what it was made from. */
export interface MadeRequest {
  choice: RequestChoice;
  series: RequestSeries;
  assembled: Assembled;
}

/** Returns the number of bytes that both start with. */
export function commonPrefix(one: Uint8Array, other: Uint8Array): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one[at] === other[at]) at++;
  return at;
}

const spanAt = (spans: Span[], byte: number) => spans.find(({ end }) => byte < end);

const same = (one: Json | undefined, other: Json | undefined) =>
  JSON.stringify(one) === JSON.stringify(other);

const valuesOf = ({ series, choice }: MadeRequest): Variables => series.valuesAt(choice.turn);

// Returns the first byte that differs from the request before, if a variable keeps its earlier value.
function firstByteWith(before: MadeRequest, after: MadeRequest, name: string): number {
  const value = valuesOf(before)[name] ?? null;
  const { body } = after.series.request(after.choice.turn, undefined, { [name]: value });
  return commonPrefix(before.assembled.body, body);
}

// Returns the variable that alone causes the difference at `firstByte`.
function changedVariable(before: MadeRequest, after: MadeRequest, firstByte: number) {
  const [old, current] = [valuesOf(before), valuesOf(after)];
  const names = Object.keys({ ...old, ...current });
  const changed = names.filter((name) => !same(old[name], current[name]));
  return changed.find((name) => firstByteWith(before, after, name) > firstByte);
}

function textLayerReason(before: MadeRequest, after: MadeRequest, layer: string, byte: number) {
  const name = changedVariable(before, after, byte);
  if (name !== undefined) return `\`${name}\` changed, which the ${layer} layer contains.`;
  const { sections } = after.choice.prompt;
  if (
    layer === 'static' &&
    JSON.stringify(sections) !== JSON.stringify(before.choice.prompt.sections)
  )
    return 'A section changed.';
  const template = layer === 'static' ? 'static' : 'dynamic';
  if (before.choice.prompt[template] !== after.choice.prompt[template])
    return `The ${layer} template changed.`;
  return `The text of the ${layer} layer changed.`;
}

const historyReasons = {
  dynamic:
    'In the request before, the dynamic layer was here. It moves behind each new turn, and the turn takes its place.',
  end: 'Nothing that was sent has changed. New turns start here.',
  contents: 'The history differs from here on.',
};

// Says why Contents differ. `old` is what the request before had at this byte.
function contentsReason(old: Span | undefined, current: Span | undefined): string {
  if (old?.layer === 'dynamic' && current?.layer !== 'dynamic') return historyReasons.dynamic;
  return old === undefined ? historyReasons.end : historyReasons.contents;
}

function reasonFor(before: MadeRequest, after: MadeRequest, byte: number): string {
  const [old, current] = [before.assembled, after.assembled].map(({ body, manifest }) =>
    spanAt(spansOf(body, manifest), byte),
  );
  const place = current ?? old;
  if (place === undefined) return historyReasons.end;
  if (current?.layer === 'fields') return `\`${current.name}\` changed.`;
  if (old?.layer === 'fields' && current?.layer === 'static') return 'The static layer was added.';
  if (old?.layer === current?.layer && (place.layer === 'static' || place.layer === 'dynamic'))
    return textLayerReason(before, after, place.layer, byte);
  if (
    current?.layer === 'dynamic' &&
    before.choice.prompt.placement !== after.choice.prompt.placement
  )
    return 'The placement of the dynamic layer changed.';
  if (current?.layer === 'dynamic')
    return 'The dynamic layer starts here, where the request before had another Content.';
  return contentsReason(old, current);
}

/** Compares a request with the one before; undefined if they are equal. */
export function requestChange(
  engines: Engines,
  before: MadeRequest,
  after: MadeRequest,
  comparedWith: string,
): RequestChange | undefined {
  const { body, manifest } = after.assembled;
  const isOtherModel = before.choice.settings.model !== after.choice.settings.model;
  const firstByte = isOtherModel ? 0 : commonPrefix(before.assembled.body, body);
  if (firstByte === body.length) return undefined;
  const diff = engines.templates.diffManifests(before.assembled.manifest, manifest);
  const reason = isOtherModel
    ? 'The model changed. Caches belong to one model, so nothing can be read from them.'
    : reasonFor(before, after, firstByte);
  return { firstByte, reason, diff, comparedWith };
}
