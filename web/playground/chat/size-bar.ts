// Shows the share of each layer in a request body, and the length of the stable prefix.
import { button, count, element } from '../../ui/dom.js';
import type { Span } from '../engine/layers.js';

/** Returns a bar with the pieces of the body and, below it to the same scale, the stable prefix. */
export function sizeBar(spans: Span[], total: number, stablePrefix: number): HTMLElement {
  const strip = element('div', { className: 'strip' });
  for (const { name, layer, start, end } of spans) {
    const title = `${name}: bytes ${count(start)} to ${count(end)}`;
    const segment = element('span', { className: layer, title });
    // Uses the style object: the content security policy forbids style attributes.
    segment.style.flexGrow = String(end - start);
    strip.append(segment);
  }
  const prefix = element('span');
  prefix.style.width = `${(100 * stablePrefix) / total}%`;
  const sizes = spans.map(({ name, start, end }) => `${name} ${count(end - start)} bytes`);
  const label = `${sizes.join(', ')}; stable prefix ${count(stablePrefix)} bytes`;
  const bar = element('div', { className: 'bar', role: 'img', ariaLabel: label }, strip);
  bar.append(element('div', { className: 'prefix' }, prefix));
  return bar;
}

/** Returns the legend of the bar: color, name and size. Each entry is a button that scrolls to its layer. */
export function legend(spans: Span[], reveal: (layer: string) => void): HTMLElement {
  const sizes = new Map<string, number>();
  for (const { layer, start, end } of spans) {
    sizes.set(layer, (sizes.get(layer) ?? 0) + end - start);
  }
  const entries = [...sizes].map(([layer, bytes]) => {
    const entry = button('', () => reveal(layer));
    entry.append(element('span', { className: layer }), `${layer} ${count(bytes)}`);
    return entry;
  });
  return element('div', { className: 'legend', role: 'group', ariaLabel: 'Bytes' }, ...entries);
}
