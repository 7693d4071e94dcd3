// Shows the four layers of a request as a stack whose heights are tokens, and explains each.
import type { LayerName, Manifest } from '../../index.js';
import { amount, element } from '../../ui/dom.js';
import type { Span } from '../engine/layers.js';

/** What the user points at: a layer, or the other fields of the body. */
export type Pointed = LayerName | 'fields';

/** Called with what the user points at; undefined if at nothing. `reveal`: whether it should be scrolled to. */
export type OnPoint = (pointed: Pointed | undefined, reveal?: boolean) => void;

const meanings: Record<LayerName, string> = {
  static:
    'Instructions that are the same in every request. The API reads them first, so they are the start of what a cache can serve.',
  dynamic:
    'The state of this moment, such as the time, as one JSON text. It changes with each request.',
  buffered: 'The turns of the conversation so far, byte for byte as they were sent and received.',
  trigger: 'The newest message of the user, or the results of tools, which the model answers now.',
};

// Says whether an explicit cache holds the layer, and whether it equals the one of the request before.
function stateOf(cached: boolean, spans: Span[], stableBytes: number | undefined): string {
  if (cached) return 'cached: the API reads it from an explicit cache';
  if (spans.length === 0) return 'not cached: it is empty';
  if (stableBytes === undefined) return 'not cached';
  if (spans.every(({ end }) => end <= stableBytes)) return 'not cached; the same bytes as before';
  if (spans.some(({ start }) => start < stableBytes))
    return 'not cached; the same bytes as before up to the first change';
  return 'not cached; behind the first change';
}

function detailsOf(
  { bytes, tokens, fingerprint, cached }: Manifest['layers'][number],
  spans: Span[],
  stableBytes: number | undefined,
): HTMLElement {
  const size = element('p', {}, `about ${amount(tokens, 'token')}, ${amount(bytes, 'byte')}`);
  const state = element('p', {}, stateOf(cached, spans, stableBytes));
  if (bytes === 0) return element('div', {}, size, state);
  const short = element('code', { title: `SHA-256 ${fingerprint}` }, fingerprint.slice(0, 12));
  return element('div', {}, size, element('p', {}, 'fingerprint ', short), state);
}

/** The stack and its explanations. Pointing at a layer calls `onPoint`. */
export class LayerStack {
  readonly element = element('div', { className: 'stack' });
  readonly #bar = element('div', { className: 'stack-bar', role: 'img' });
  readonly #rows = element('ul', { className: 'stack-rows' });
  readonly #onPoint: OnPoint;

  constructor(onPoint: OnPoint) {
    this.#onPoint = onPoint;
    this.#rows.ariaLabel = 'Layers';
    this.element.append(this.#bar, this.#rows);
  }

  /** Shows the layers of a request. `stableBytes`: how many bytes equal the request before. */
  show({ layers }: Manifest, spans: Span[], stableBytes: number | undefined): void {
    const sizes = layers.map(({ layer, tokens }) => `${layer} ${amount(tokens, 'token')}`);
    this.#bar.ariaLabel = `Heights are tokens: ${sizes.join(', ')}`;
    this.#bar.replaceChildren(...layers.map((layer) => this.#segment(layer)));
    const focused = this.#rows.querySelector<HTMLElement>(':focus')?.dataset['layer'];
    this.#rows.replaceChildren(
      ...layers.map((layer) => {
        const own = spans.filter((span) => span.layer === layer.layer);
        return this.#row(layer, own, stableBytes);
      }),
    );
    this.#rows.querySelector<HTMLElement>(`button[data-layer="${focused ?? ''}"]`)?.focus();
  }

  /** Marks the layer that the user points at. */
  mark(pointed: Pointed | undefined): void {
    for (const marked of this.element.querySelectorAll<HTMLElement>('[data-layer]'))
      marked.classList.toggle('marked', marked.dataset['layer'] === pointed);
  }

  #segment({ layer, tokens }: Manifest['layers'][number]): HTMLElement {
    const segment = element('span', {
      className: layer,
      title: `${layer}: ${amount(tokens, 'token')}`,
    });
    segment.dataset['layer'] = layer;
    segment.style.flexGrow = String(tokens);
    this.#points(segment, layer);
    return segment;
  }

  #row(
    row: Manifest['layers'][number],
    spans: Span[],
    stableBytes: number | undefined,
  ): HTMLElement {
    const { layer } = row;
    const name = element('button', { type: 'button', className: layer });
    name.dataset['layer'] = layer;
    name.append(element('i', {}), layer);
    name.ariaLabel = `Show the ${layer} layer in the body`;
    name.onclick = () => this.#onPoint(layer, true);
    name.onfocus = () => this.#onPoint(layer);
    name.onblur = () => this.#onPoint(undefined);
    const meaning = element('p', { className: 'note' }, meanings[layer]);
    const item = element('li', {}, name, detailsOf(row, spans, stableBytes), meaning);
    item.dataset['layer'] = layer;
    this.#points(item, layer);
    return item;
  }

  #points(place: HTMLElement, layer: LayerName): void {
    place.onpointerenter = () => this.#onPoint(layer);
    place.onpointerleave = () => this.#onPoint(undefined);
  }
}
