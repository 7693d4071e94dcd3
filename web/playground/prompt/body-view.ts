// Shows the exact body of a request: its layers, the stable prefix, and the first byte that changed.
import { spansOf, type Span } from '../engine/layers.js';
import { amount, count, element } from '../../ui/dom.js';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import type { ShownRequest } from '../engine/prompt-result.js';
import type { OnPoint, Pointed } from './layer-stack.js';

// Longer texts are shown by their start and end, so that the page stays fast.
const maxShown = 12_000;

function shorten(text: string): string {
  if (text.length <= maxShown) return text;
  const half = maxShown / 2;
  const left = text.length - maxShown;
  return `${text.slice(0, half)} [${count(left)} characters are not shown] ${text.slice(-half)}`;
}

/** Returns the start of the character that holds a byte. */
export function characterStart(body: Uint8Array, byte: number): number {
  let at = Math.min(byte, body.length);
  while (at > 0 && at < body.length && ((body[at] ?? 0) & 0xc0) === 0x80) at--;
  return at;
}

/** The number of UTF-8 bytes of the character that starts at `byte`. */
function characterBytes(body: Uint8Array, byte: number): number {
  let end = byte + 1;
  while (end < body.length && ((body[end] ?? 0) & 0xc0) === 0x80) end++;
  return end - byte;
}

const placeOf = ({ name, layer, start, end }: Span) =>
  layer === 'fields'
    ? `${name}, a field of no layer: bytes ${count(start)} to ${count(end)} of the body`
    : `${layer} layer (${name}): bytes ${count(start)} to ${count(end)} of the body`;

/** The body. Pointing into it calls `onPoint`. */
export class BodyView {
  readonly element: HTMLElement;
  readonly #place = element('p', { className: 'body-place' });
  readonly #text = element('pre', { className: 'body-text' });
  readonly #onPoint: OnPoint;
  #hint = '';

  constructor(onPoint: OnPoint) {
    this.#onPoint = onPoint;
    this.#text.tabIndex = 0;
    this.#text.ariaLabel = 'The body';
    this.element = element('div', { className: 'body' }, this.#place, this.#text);
  }

  /** Shows a body. `firstByte`: the first byte that differs from the request before. */
  show({ body, manifest }: ShownRequest, firstByte: number | undefined): void {
    this.#hint = `${amount(body.length, 'byte')}. Point at a part, or move to it with Tab.`;
    this.#place.textContent = this.#hint;
    const change = firstByte === undefined ? undefined : characterStart(body, firstByte);
    const spans = spansOf(body, manifest);
    const end = spans.at(-1)?.end ?? 0;
    this.#text.replaceChildren(
      ...spans.map((span) => this.#part(span, body, change)),
      decodeUtf8(body.subarray(end)),
    );
  }

  /** Marks the bytes of a layer. */
  mark(pointed: Pointed | undefined, reveal = false): void {
    const parts = [...this.#text.querySelectorAll<HTMLElement>('[data-layer]')];
    for (const part of parts) part.classList.toggle('marked', part.dataset['layer'] === pointed);
    if (!reveal) return;
    const first = parts.find(({ dataset }) => dataset['layer'] === pointed);
    if (!first) return;
    this.#text.scrollIntoView({ block: 'nearest' });
    const distance = first.getBoundingClientRect().top - this.#text.getBoundingClientRect().top;
    this.#text.scrollTop += distance;
  }

  #part(span: Span, body: Uint8Array, change: number | undefined): HTMLElement {
    const { layer, start, end } = span;
    const part = element('span', { className: `part ${layer}`, tabIndex: 0, role: 'group' });
    part.dataset['layer'] = layer;
    part.ariaLabel = placeOf(span);
    part.append(...texts(span, body, change));
    const point = () => {
      this.#place.textContent = placeOf({ ...span, start, end });
      this.#onPoint(layer);
    };
    const leave = () => {
      this.#place.textContent = this.#hint;
      this.#onPoint(undefined);
    };
    Object.assign(part, {
      onpointerenter: point,
      onfocus: point,
      onpointerleave: leave,
      onblur: leave,
    });
    return part;
  }
}

// Returns the text of a span: what equals the request before, the first character that differs, and the rest.
function texts({ start, end, text }: Span, body: Uint8Array, change: number | undefined) {
  if (change === undefined || change <= start - 1) return [shorten(text)];
  const same = (value: string) => element('span', { className: 'same' }, shorten(value));
  if (change >= end) return [same(text)];
  const after = change + characterBytes(body, change);
  return [
    same(decodeUtf8(body.subarray(start, change))),
    element(
      'mark',
      { title: 'the first byte that changed' },
      decodeUtf8(body.subarray(change, after)),
    ),
    shorten(decodeUtf8(body.subarray(after, end))),
  ];
}
