// Shows the layers of a request: what each is and whether a cache can serve it, and their exact bytes.
import type { LayerName } from '../../index.js';
import { amount, count } from '../../ui/format.js';
import { layerMeanings, type Span } from '../engine/layers.js';
import type { PromptModel } from './prompt-model.js';
import { useEffect, useRef } from 'preact/hooks';
import { decodeUtf8 } from '../../sdk/internal/bytes.js';
import type { RequestChange, ShownRequest } from '../engine/prompt-result.js';

// Says whether the layer equals the one of the request before.
function reuseOf(spans: Span[], stableBytes: number): string {
  if (spans.every(({ end }) => end <= stableBytes)) return 'same bytes as before';
  return spans.some(({ start }) => start < stableBytes)
    ? 'same bytes as before, up to the first change'
    : 'behind the first change';
}

/** A request, its pieces, and what differs from the request before. */
export interface RequestProps {
  model: PromptModel;
  request: ShownRequest;
  spans: Span[];
  change: RequestChange | undefined;
}

/** The four layers. Pointing at one marks it everywhere, and a click shows its bytes. */
export function LayerRows({ model, request: { manifest }, spans, change }: RequestProps) {
  const stateOf = (layer: LayerName) => {
    const own = spans.filter((span) => span.layer === layer);
    if (own.length === 0) return ', empty';
    return change ? `, ${reuseOf(own, change.firstByte)}` : '';
  };
  return (
    <ul class="layer-rows" aria-label="Layers">
      {manifest.layers.map(({ layer, bytes, tokens, fingerprint }) => (
        <li class={model.marked.value === layer ? 'marked' : undefined} {...model.pointing(layer)}>
          <button
            type="button"
            class={layer}
            aria-label={`Show the ${layer} layer in the body`}
            title={bytes === 0 ? undefined : `SHA-256 ${fingerprint}`}
            onClick={() => (model.revealed.value = { layer })}
          >
            <i />
            {layer}
          </button>
          <span>
            about {amount(tokens, 'token')}
            {stateOf(layer)}
          </span>
          <p class="note">{layerMeanings[layer]}</p>
        </li>
      ))}
    </ul>
  );
}

// Longer texts are shown by their start and end, so that the page stays fast.
const maxShown = 12_000;

function shorten(text: string): string {
  if (text.length <= maxShown) return text;
  const half = maxShown / 2;
  const left = text.length - maxShown;
  return `${text.slice(0, half)} [${count(left)} characters are not shown] ${text.slice(-half)}`;
}

const isContinued = (byte: number | undefined) => ((byte ?? 0) & 0xc0) === 0x80;

// Returns the bytes of the character that holds a byte.
function characterAt(body: Uint8Array, byte: number): { start: number; end: number } {
  let start = byte;
  while (start > 0 && isContinued(body[start])) start--;
  let end = start + 1;
  while (isContinued(body[end])) end++;
  return { start, end };
}

function placeOf({ name, layer, start, end }: Span): string {
  const what = layer === 'fields' ? `${name}, a field of no layer` : `${layer} layer (${name})`;
  return `${what}: bytes ${count(start)} to ${count(end)} of the body`;
}

/** The body. Pointing at a part marks its layer everywhere. */
export function BodyView({ model, request: { body }, spans, change }: RequestProps) {
  const text = useRef<HTMLPreElement>(null);
  const marked = model.marked.value;
  const revealed = model.revealed.value;
  useEffect(() => {
    const part = revealed && text.current?.querySelector(`[data-layer="${revealed.layer}"]`);
    if (!part || !text.current) return;
    text.current.scrollIntoView({ block: 'nearest' });
    const top = part.getBoundingClientRect().top - text.current.getBoundingClientRect().top;
    text.current.scrollTop += top;
  }, [revealed]);
  const places = spans.filter(({ layer }) => layer === marked).map(placeOf);
  const hint = `${amount(body.length, 'byte')}. Point at a part, or move to it with Tab.`;
  return (
    <>
      <p class="note">{places.length > 0 ? places.join('; ') : hint}</p>
      <pre class="card body-text" ref={text} tabIndex={0} aria-label="The body">
        {spans.map((span) => (
          <span
            class={`part ${span.layer}${span.layer === marked ? ' marked' : ''}`}
            data-layer={span.layer}
            role="group"
            aria-label={placeOf(span)}
            tabIndex={0}
            {...model.pointing(span.layer)}
          >
            {partText(span, body, change?.firstByte)}
          </span>
        ))}
        {decodeUtf8(body.subarray(spans.at(-1)?.end ?? 0))}
      </pre>
    </>
  );
}

// Returns what equals the request before, the first character that differs, and the rest.
function partText({ start, end, text }: Span, body: Uint8Array, change = -1) {
  if (change < start) return shorten(text);
  if (change >= end) return <span class="same">{shorten(text)}</span>;
  const first = characterAt(body, change);
  return (
    <>
      <span class="same">{shorten(decodeUtf8(body.subarray(start, first.start)))}</span>
      <mark title="The first change">{decodeUtf8(body.subarray(first.start, first.end))}</mark>
      {shorten(decodeUtf8(body.subarray(first.end, end)))}
    </>
  );
}
