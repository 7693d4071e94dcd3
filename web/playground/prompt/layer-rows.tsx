// Explains each layer of a request: its size, whether a cache can serve it, and its meaning. Each leads to its bytes.
import type { LayerName, Manifest } from '../../index.js';
import { amount } from '../../ui/format.js';
import type { Span } from '../engine/layers.js';
import type { PromptModel } from './prompt-model.js';

const meanings: Record<LayerName, string> = {
  static: 'Instructions that are the same in every request. The API reads them first.',
  dynamic: 'The state of this moment, such as the time, as one JSON text.',
  buffered: 'The turns of the conversation so far, byte for byte.',
  trigger: 'The newest message of the user, or the results of tools.',
};

// Says whether the layer equals the one of the request before.
function reuseOf(spans: Span[], stableBytes: number): string {
  if (spans.every(({ end }) => end <= stableBytes)) return 'same bytes as before';
  return spans.some(({ start }) => start < stableBytes)
    ? 'same bytes as before, up to the first change'
    : 'behind the first change';
}

interface RowsProps {
  model: PromptModel;
  manifest: Manifest;
  spans: Span[];
  /** How many bytes equal the request before. */
  stableBytes: number | undefined;
}

/** The four layers. Pointing at one marks it everywhere, and a click shows its bytes. */
export function LayerRows({ model, manifest, spans, stableBytes }: RowsProps) {
  const point = (layer: string | undefined) => () => model.point(layer);
  const stateOf = (layer: LayerName, cached: boolean) => {
    const own = spans.filter((span) => span.layer === layer);
    if (own.length === 0) return 'empty';
    if (cached) return 'read from an explicit cache';
    const reuse = stableBytes === undefined ? '' : reuseOf(own, stableBytes);
    const explicit = model.settings.value.caching ? 'not in an explicit cache' : '';
    return [reuse, explicit].filter(Boolean).join('; ');
  };
  return (
    <ul class="layer-rows" aria-label="Layers">
      {manifest.layers.map(({ layer, bytes, tokens, cached, fingerprint }) => (
        <li
          class={model.marked.value === layer ? 'marked' : undefined}
          onPointerMove={point(layer)}
          onPointerLeave={point(undefined)}
        >
          <button
            type="button"
            class={layer}
            aria-label={`Show the ${layer} layer in the body`}
            title={bytes === 0 ? undefined : `SHA-256 ${fingerprint}`}
            onClick={() => model.showBytes(layer)}
            onFocus={point(layer)}
            onBlur={point(undefined)}
          >
            <i />
            {layer}
          </button>
          <span>
            about {amount(tokens, 'token')}, {stateOf(layer, cached)}
          </span>
          <p class="note">{meanings[layer]}</p>
        </li>
      ))}
    </ul>
  );
}
