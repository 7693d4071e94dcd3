// Explains the first byte that differs between a request and the one of the message before.
import type { Assembled, Json } from '../../index.js';
import { spansOf, type Span } from './layers.js';
import type { RequestChange } from './prompt-result.js';
import type { RequestSeries } from './request-series.js';

/** A request of a series, and the one of the message before. */
interface Pair {
  turn: number;
  before: Assembled;
  after: Assembled;
}

// Returns the number of bytes that both start with.
function commonPrefix(one: Uint8Array, other: Uint8Array): number {
  const end = Math.min(one.length, other.length);
  let at = 0;
  while (at < end && one[at] === other[at]) at++;
  return at;
}

const same = (one: Json | undefined, other: Json | undefined) =>
  JSON.stringify(one) === JSON.stringify(other);

// Returns the variable that alone causes the difference at `byte`: with its earlier value, it comes later.
function changedVariable(series: RequestSeries, { turn, before }: Pair, byte: number) {
  const [old, current] = [series.valuesAt(turn - 1), series.valuesAt(turn)];
  const names = Object.keys({ ...old, ...current });
  const changed = names.filter((name) => !same(old[name], current[name]));
  return changed.find((name) => {
    const { body } = series.request(turn, undefined, { [name]: old[name] ?? null });
    return commonPrefix(before.body, body) > byte;
  });
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

function reasonFor(series: RequestSeries, pair: Pair, byte: number): string {
  const [old, current] = [pair.before, pair.after].map(({ body, manifest }) =>
    spansOf(body, manifest).find(({ end }) => byte < end),
  );
  if (current?.layer === 'fields') return `\`${current.name}\` changed.`;
  const layer = current?.layer;
  if (layer !== 'static' && layer !== 'dynamic') return contentsReason(old, current);
  if (old?.layer !== layer) return `The ${layer} layer starts here.`;
  const name = changedVariable(series, pair, byte);
  return name === undefined
    ? `The text of the ${layer} layer changed.`
    : `\`${name}\` changed, which the ${layer} layer contains.`;
}

/** Compares a request with the one of the message before; undefined if they are equal. */
export function requestChange(series: RequestSeries, pair: Pair): RequestChange | undefined {
  const { before, after } = pair;
  const firstByte = commonPrefix(before.body, after.body);
  if (firstByte === after.body.length) return undefined;
  return { firstByte, reason: reasonFor(series, pair, firstByte) };
}
