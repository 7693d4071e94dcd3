// Shows one layer of a request: its purpose, size, position and bytes.
import type { LayerName, Manifest } from '../../index.js';
import { amount, button, count, element, folded } from '../../ui/dom.js';
import { readable, type Span } from '../engine/layers.js';
import { markSignatures } from '../../ui/signatures.js';

const meanings: Record<LayerName, string> = {
  static: 'Instructions that are the same in every request.',
  dynamic: 'The current state, as JSON.',
  buffered: 'The conversation so far, byte for byte.',
  trigger: 'The current message, or the results of tools.',
};

const maxShown = 16_000;

const empty: Partial<Record<LayerName, string>> = {
  buffered: 'Empty: there are no earlier turns.',
  static: 'Empty: the template rendered no text.',
};

function copyButton({ name }: Span, text: string): HTMLButtonElement {
  const copy = button('Copy', () => {
    const show = (label: string) => () => setLabel(label);
    navigator.clipboard.writeText(text).then(show('Copied'), show('Failed'));
    setTimeout(show('Copy'), 1500);
  });
  // The label for screen readers distinguishes the copy buttons.
  const setLabel = (label: string) => {
    copy.textContent = label;
    copy.ariaLabel = `${label} ${name}`;
  };
  setLabel('Copy');
  // Browsers provide the clipboard only in secure contexts.
  copy.hidden = !isSecureContext;
  return copy;
}

function spanView(span: Span, indented: boolean): HTMLElement {
  const place = `${span.name}: bytes ${count(span.start)} to ${count(span.end)} of the body`;
  const text = indented ? readable(span) : span.text;
  const bytes = element('pre', { tabIndex: 0, ariaLabel: place });
  const caption = element('figcaption', {}, element('span', {}, place), copyButton(span, text));
  const figure = element('figure', {}, caption, bytes);
  const show = (shown: string) => bytes.replaceChildren(...markSignatures(shown));
  show(text.slice(0, maxShown));
  if (text.length > maxShown) figure.append(showAllButton(span, text, show));
  return figure;
}

// Long layers are slow to lay out, so that only their beginning is drawn at first.
function showAllButton({ name }: Span, text: string, show: (text: string) => void): HTMLElement {
  const all = button(`Show all ${count(text.length)} characters`, () => {
    show(text);
    all.remove();
  });
  all.ariaLabel = `Show all of ${name}`;
  return all;
}

/**
 * Shows a layer of the manifest with its bytes, either as sent or indented for reading. `isContinued`: the body has
 * an earlier part of the same layer.
 */
export function layerView(
  { layer, bytes, tokens }: Manifest['layers'][number],
  spans: Span[],
  { indented, isContinued }: { indented: boolean; isContinued: boolean },
): HTMLElement {
  const whole = `${amount(bytes, 'byte')}, about ${amount(tokens, 'token')}`;
  const size = isContinued ? 'continued' : whole;
  const heading = element('h3', {}, element('span', { className: layer }), layer);
  heading.append(element('small', {}, size));
  const shown = spans.map((span) => spanView(span, indented));
  if (shown.length === 0) shown.push(element('p', { className: 'empty' }, empty[layer] ?? ''));
  const meaning = element('p', { className: 'meaning' }, meanings[layer]);
  const className = `layer ${layer}`;
  const ariaLabel = isContinued ? `${layer}, continued` : layer;
  return element('section', { className, ariaLabel }, heading, meaning, ...shown);
}

/** Shows the fields that belong to no layer, such as `tools`. */
export function fieldsView(spans: Span[], indented: boolean): HTMLElement {
  const names = spans.map(({ name }) => name).join(', ');
  const fields = folded(`Other fields: ${names}`, ...spans.map((span) => spanView(span, indented)));
  fields.className = 'layer fields';
  return fields;
}
