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

// Says whether an explicit cache holds the layer, and whether it equals the one of the request before.
function stateOf(cached: boolean, spans: Span[], stableBytes: number | undefined): string {
  if (cached) return 'read from an explicit cache';
  if (spans.length === 0) return 'empty';
  const explicit = 'not in an explicit cache';
  if (stableBytes === undefined) return explicit;
  if (spans.every(({ end }) => end <= stableBytes)) return `same bytes as before; ${explicit}`;
  if (spans.some(({ start }) => start < stableBytes))
    return `same bytes as before up to the first change; ${explicit}`;
  return `behind the first change; ${explicit}`;
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
          <span>about {amount(tokens, 'token')}</span>
          <span>
            {stateOf(
              cached,
              spans.filter((span) => span.layer === layer),
              stableBytes,
            )}
          </span>
          <p class="note">{meanings[layer]}</p>
        </li>
      ))}
    </ul>
  );
}
