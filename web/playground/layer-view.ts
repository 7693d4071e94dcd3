// Why this file exists: one layer of one request: what it is for, its size, where it stands, its bytes.
import type { LayerName, Manifest } from '../index.js';
import { amount, button, count, element, folded } from './dom.js';
import { readable, type Span } from './layers.js';
import { markSignatures } from './signatures.js';

const meanings: Record<LayerName, string> = {
  static: 'Standing instructions, the same in every request.',
  dynamic: 'The state of this moment, as JSON.',
  buffered: 'The conversation so far, its bytes untouched.',
  trigger: 'What is to be answered: an instruction, or the results of tools.',
};

const empty: Partial<Record<LayerName, string>> = {
  buffered: 'Empty: nothing was said before.',
  static: 'Empty: its template gave no text.',
};

function copyButton({ name }: Span, text: string): HTMLButtonElement {
  const copy = button('Copy', () => {
    const tell = (label: string) => () => nameButton(label);
    navigator.clipboard.writeText(text).then(tell('Copied'), tell('Failed'));
    setTimeout(tell('Copy'), 1500);
  });
  // For the ear they would all be called the same.
  const nameButton = (label: string) => {
    copy.textContent = label;
    copy.ariaLabel = `${label} ${name}`;
  };
  nameButton('Copy');
  // Browsers have no clipboard for pages that came over plain HTTP from elsewhere.
  copy.hidden = !isSecureContext;
  return copy;
}

function spanView(span: Span, indented: boolean): HTMLElement {
  const place = `${span.name}: bytes ${count(span.start)} to ${count(span.end)} of the body`;
  const text = indented ? readable(span) : span.text;
  const bytes = element('pre', { tabIndex: 0, ariaLabel: place }, ...markSignatures(text));
  const caption = element('figcaption', {}, element('span', {}, place), copyButton(span, text));
  return element('figure', {}, caption, bytes);
}

/** A layer as the manifest tells it, with its bytes: those that are sent, or indented for reading. */
export function layerView(
  { layer, bytes, tokens }: Manifest['layers'][number],
  spans: Span[],
  indented: boolean,
): HTMLElement {
  const size = `${amount(bytes, 'byte')}, about ${amount(tokens, 'token')}`;
  const heading = element('h3', {}, element('span', { className: layer }), layer);
  heading.append(element('small', {}, size));
  const shown = spans.map((span) => spanView(span, indented));
  if (shown.length === 0) shown.push(element('p', { className: 'empty' }, empty[layer] ?? ''));
  const meaning = element('p', { className: 'meaning' }, meanings[layer]);
  const className = `layer ${layer}`;
  return element('section', { className, ariaLabel: layer }, heading, meaning, ...shown);
}

/** The fields beside the layers, `tools` for one. */
export function fieldsView(spans: Span[], indented: boolean): HTMLElement {
  const names = spans.map(({ name }) => name).join(', ');
  const fields = folded(
    `Beside the layers: ${names}`,
    ...spans.map((span) => spanView(span, indented)),
  );
  fields.className = 'layer fields';
  return fields;
}
