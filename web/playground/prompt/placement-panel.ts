// Switches the placement of the dynamic layer, and shows what each costs after ten turns.
import type { Placement, PromptDraft } from '../state/playground-document.js';
import { amount, count, element } from '../../ui/dom.js';
import type { PlacementComparison, PlacementCost } from '../engine/prompt-result.js';
import type { ChangePrompt } from './prompt-editor.js';

const labels: Record<Placement, string> = {
  'after-static': 'In front of the history',
  'before-current-turn': 'Behind the history, before the newest message',
};

const share = (part: number, whole: number) =>
  whole === 0 ? '0 %' : `${Math.round((100 * part) / whole)} %`;

/** Formats USD with enough digits for small sums. */
export const dollars = (usd: number): string => `$${usd.toFixed(usd < 0.1 ? 5 : 2)}`;

function costCells(cost: PlacementCost | undefined): HTMLElement[] {
  if (!cost) return [0, 1, 2].map(() => element('td', {}, '…'));
  const { lastPromptTokens, lastStableTokens, servedTokens, promptTokens, inputCost } = cost;
  const stable = share(lastStableTokens, lastPromptTokens);
  const served = `${count(servedTokens)} of ${count(promptTokens)}`;
  const money = inputCost === undefined ? 'price unknown' : dollars(inputCost);
  return [stable, served, money].map((text) => element('td', {}, text));
}

// Says what the numbers rest on.
function basisText({ costs, implicitCacheMinimum, price }: PlacementComparison): string {
  const requests = costs[0]?.requests ?? 0;
  const minimum =
    implicitCacheMinimum > 0
      ? `It counts a stable start as served from ${amount(implicitCacheMinimum, 'token')} on, the minimum of this model.`
      : 'No implicit cache is known for this model, so nothing counts as served.';
  const rates = price
    ? ` Input costs $${price.input} per million tokens, and $${price.cacheRead} from a cache.`
    : '';
  return (
    `Measured in this page with ${requests} requests of a simulated conversation; tokens are estimates. ` +
    `${minimum}${rates} The service does not guarantee that it serves them.`
  );
}

// Says which placement costs less.
function verdictText({ costs: [front, behind] }: PlacementComparison): string {
  if (front?.inputCost === undefined || behind?.inputCost === undefined) return '';
  const saved = front.inputCost - behind.inputCost;
  const isServed = front.servedTokens > 0 || behind.servedTokens > 0;
  if (!isServed)
    return 'With this prompt, both cost the same: no stable start is long enough for a cache.';
  if (Math.abs(saved) < 1e-9) return 'With this prompt, both cost the same.';
  const [less, more] = saved > 0 ? [behind, front] : [front, behind];
  const percent = share(Math.abs(saved), more.inputCost ?? 0);
  return `“${labels[less.placement]}” costs ${percent} less input.`;
}

/** The switch and its table. */
export class PlacementPanel {
  readonly element: HTMLElement;
  readonly #radios: Record<Placement, HTMLInputElement>;
  readonly #rows: Record<Placement, HTMLTableRowElement>;
  readonly #verdict = element('p', { className: 'verdict', role: 'status' });
  readonly #basis = element('p', { className: 'note' });

  constructor(change: ChangePrompt) {
    const radio = (placement: Placement) => {
      const box = element('input', { type: 'radio', name: 'placement', value: placement });
      box.onchange = () => change({ placement });
      return box;
    };
    const placements: Placement[] = ['after-static', 'before-current-turn'];
    const [front, behind] = [radio('after-static'), radio('before-current-turn')];
    this.#radios = { 'after-static': front, 'before-current-turn': behind };
    this.#rows = { 'after-static': element('tr'), 'before-current-turn': element('tr') };
    const titles = [
      'Dynamic layer',
      'Stable part of the last prompt',
      'Tokens a cache can serve',
      'Input of all requests',
    ];
    const head = element(
      'tr',
      {},
      ...titles.map((title) => element('th', { scope: 'col' }, title)),
    );
    const rows = placements.map((placement) => this.#rows[placement]);
    const table = element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows));
    const legend = element('legend', {}, 'Placement of the dynamic layer, after ten turns');
    const frame = element('div', { className: 'table-frame', tabIndex: 0, role: 'region' }, table);
    frame.ariaLabel = 'Costs of both placements';
    this.element = element('fieldset', { className: 'panel' }, legend, frame, this.#verdict);
    this.element.append(this.#basis);
    this.#showRows([]);
  }

  /** Shows the placement of the document. */
  show({ placement }: PromptDraft, isReadOnly: boolean): void {
    for (const [name, radio] of Object.entries(this.#radios)) {
      radio.checked = name === placement;
      radio.disabled = isReadOnly;
    }
  }

  /** Shows what both placements cost. */
  showCosts(comparison: PlacementComparison): void {
    this.#showRows(comparison.costs);
    this.#verdict.textContent = verdictText(comparison);
    this.#basis.textContent = basisText(comparison);
  }

  #showRows(costs: PlacementCost[]): void {
    for (const placement of ['after-static', 'before-current-turn'] as const) {
      const label = element('label', {}, this.#radios[placement], ` ${labels[placement]}`);
      const cost = costs.find((one) => one.placement === placement);
      const focused = document.activeElement === this.#radios[placement];
      const head = element('th', { scope: 'row' }, label);
      this.#rows[placement].replaceChildren(head, ...costCells(cost));
      if (focused) this.#radios[placement].focus();
    }
  }
}
