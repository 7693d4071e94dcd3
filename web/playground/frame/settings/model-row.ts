// Shows what the catalogue knows about a model: its limits, caching and prices.
import type { Backend, ModelLimits } from '../../../index.js';
import { messageOf } from '../../../sdk/internal/messages.js';
import type { CoreHolder } from '../../engine/core-holder.js';
import { count, element } from '../../../ui/dom.js';

const usd = (price: number) => `$${price}`;

function cachingOf({ cacheMinimum, explicitCache, implicitCacheMinimum }: ModelLimits): string {
  const byItself =
    implicitCacheMinimum > 0 ? `by itself from ${count(implicitCacheMinimum)} tokens` : '';
  const explicit = explicitCache ? `explicitly from ${count(cacheMinimum)} tokens` : '';
  return [byItself, explicit].filter(Boolean).join(', ') || 'none';
}

function rowsOf(model: string, limits: ModelLimits): [string, string][] {
  const { servedBy, retired, price, contextTokens, outputTokens, thinkingLevels } = limits;
  const rows: [string, string][] = [
    ['Context', `${count(contextTokens)} tokens`],
    ['Answer', `up to ${count(outputTokens)} tokens`],
    ['Thinking levels', thinkingLevels.join(', ') || 'none'],
    ['Caching', cachingOf(limits)],
    [
      'Prices',
      price
        ? `${usd(price.input)} input, ${usd(price.cacheRead)} cached, ${usd(price.output)} output, per million tokens`
        : 'unknown: the catalogue has no row for this name',
    ],
  ];
  if (servedBy !== model) rows.unshift(['Served by', servedBy]);
  if (retired) rows.unshift(['Retired', 'the service no longer serves this model']);
  return rows;
}

/** The row of the selected model. It loads the core when it is shown for the first time. */
export class ModelRow {
  readonly root = element('dl', { className: 'model-row' });
  readonly #core: CoreHolder;
  readonly #onLimits: (limits: ModelLimits) => void;
  #shown = '';

  /** `onLimits` is called with the limits of each model that is shown. */
  constructor(core: CoreHolder, onLimits: (limits: ModelLimits) => void) {
    this.#core = core;
    this.#onLimits = onLimits;
    this.root.ariaLabel = 'What is known about the model';
  }

  /** Shows a model. */
  async show(model: string, backend: Backend): Promise<void> {
    const wanted = `${backend} ${model}`;
    if (wanted === this.#shown) return;
    this.#shown = wanted;
    try {
      const strata = await this.#core.shared();
      if (this.#shown !== wanted) return;
      const limits = strata.modelLimits(model, { backend, now: new Date().toISOString() });
      this.#fill(rowsOf(model, limits));
      this.#onLimits(limits);
    } catch (error) {
      if (this.#shown !== wanted) return;
      this.#shown = '';
      this.#fill([['Unknown', messageOf(error)]]);
    }
  }

  #fill(rows: [string, string][]): void {
    const cells = rows.flatMap(([term, text]) => [
      element('dt', {}, term),
      element('dd', {}, text),
    ]);
    this.root.replaceChildren(...cells);
  }
}
