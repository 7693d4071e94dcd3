// Draws the layers of a request along a bar and, below them to the same scale, the start that can be reused.
import { amount } from './format.js';

export interface BarPiece {
  /** What names its color: a layer, or `fields`. */
  layer: string;
  name: string;
  size: number;
}

interface LayerBarProps {
  pieces: readonly BarPiece[];
  /** The size of the start that equals the request before. */
  reusable: number;
  /** What sizes count: `token` or `byte`. */
  unit: string;
  /** Whether a cache can serve the start. Default: it can. */
  isServed?: boolean;
  /** The layer that the user points at. */
  marked?: string | undefined;
  /** Called with the layer that the user points at; undefined if at nothing. */
  point?: (layer: string | undefined) => void;
}

/** The bar. Screen readers hear its sizes. */
export function LayerBar(props: LayerBarProps) {
  const { pieces, reusable, unit, isServed = true, marked, point } = props;
  const total = pieces.reduce((sum, { size }) => sum + size, 0);
  const sizes = pieces.map(({ name, size }) => `${name} ${amount(size, unit)}`);
  const label = `${sizes.join(', ')}; reusable start ${amount(reusable, unit)}`;
  const width = `${Math.min(100, (100 * reusable) / Math.max(1, total))}%`;
  return (
    <div class="layer-bar" role="img" aria-label={label}>
      <div>
        {pieces.map(({ layer, name, size }) => (
          <span
            class={layer === marked ? `${layer} marked` : layer}
            title={`${name}: ${amount(size, unit)}`}
            // Set through the style object: the content security policy forbids style attributes.
            style={{ flexGrow: size }}
            onPointerMove={() => point?.(layer)}
            onPointerLeave={() => point?.(undefined)}
          />
        ))}
      </div>
      <div>
        <span class={isServed ? 'served' : ''} style={{ width }} />
      </div>
    </div>
  );
}
