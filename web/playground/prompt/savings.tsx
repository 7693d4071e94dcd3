// Shows first what a cache saves with this prompt, and what the place of the dynamic layer has to do with it.
import { amount, count } from '../../ui/format.js';
import type { PlacementComparison, PlacementCost } from '../engine/prompt-result.js';
import type { Placement } from '../state/playground-document.js';
import type { PromptModel } from './prompt-model.js';

const labels: Record<Placement, string> = {
  'before-current-turn': 'Before the newest message',
  'after-static': 'In front of the history',
};

const percent = (part: number, whole: number) =>
  `${whole === 0 ? 0 : Math.round((100 * part) / whole)} %`;

// Says how much less the input costs than without a cache.
const less = ({ inputCost = 0, uncachedCost = 0 }: PlacementCost) =>
  `${percent(uncachedCost - inputCost, uncachedCost)} less`;

// Sums of a few cents need more digits than two.
const dollars = (usd: number) => `$${usd.toFixed(usd < 1 ? 4 : 2)}`;

/** What a cache saves: as a share, and as a sentence. */
type Verdict = Record<'saved' | 'text', string>;

function verdictOf(cost: PlacementCost, minimum: number): Verdict {
  const { requests, promptTokens, servedTokens, lastStableTokens, inputCost, uncachedCost } = cost;
  if (minimum === 0)
    return { saved: 'Nothing', text: 'No implicit cache is known for this model.' };
  if (servedTokens === 0) {
    const start = amount(lastStableTokens, 'token');
    const text = `The reusable start has about ${start}. A cache of this model begins at ${count(minimum)}.`;
    return { saved: 'Nothing', text };
  }
  if (inputCost === undefined || uncachedCost === undefined) {
    const text = `of the input of ${requests} requests can be read from a cache. The price is unknown.`;
    return { saved: percent(servedTokens, promptTokens), text };
  }
  const sums = `${dollars(inputCost)} instead of ${dollars(uncachedCost)}`;
  return { saved: less(cost), text: `The input of ${requests} requests costs ${sums}.` };
}

/** Returns what a cache saves with the chosen place of the dynamic layer; undefined until it has been measured. */
export function savedWith(model: PromptModel): Verdict | undefined {
  const comparison = model.costs.value;
  const { placement } = model.prompt.value;
  const cost = comparison?.costs.find((one) => one.placement === placement);
  return comparison && cost && verdictOf(cost, comparison.implicitCacheMinimum);
}

export function Savings({ model }: { model: PromptModel }) {
  const comparison = model.costs.value;
  const verdict = savedWith(model);
  return (
    <section class="stack" aria-label="What a cache saves">
      <h2>What a cache saves</h2>
      <p class="saved" role="status">
        <b class={verdict?.saved === 'Nothing' ? undefined : 'good'}>{verdict?.saved ?? '…'}</b>{' '}
        {verdict?.text ?? 'The requests are being measured.'}
      </p>
      <fieldset>
        <legend>Where the dynamic layer stands</legend>
        <div class="table-frame" role="region" aria-label="Costs of both places" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Dynamic layer</th>
                <th scope="col">Reusable start</th>
                <th scope="col">Input</th>
                <th scope="col">Than without a cache</th>
              </tr>
            </thead>
            <tbody>
              {(['before-current-turn', 'after-static'] as const).map((name) => (
                <PlacementRow key={name} model={model} name={name} />
              ))}
            </tbody>
          </table>
        </div>
      </fieldset>
      {comparison && <Basis {...comparison} />}
    </section>
  );
}

function cellsOf(cost: PlacementCost): string[] {
  const { lastStableTokens, lastPromptTokens, inputCost } = cost;
  const costs = inputCost === undefined ? ['price unknown', ''] : [dollars(inputCost), less(cost)];
  return [percent(lastStableTokens, lastPromptTokens), ...costs];
}

function PlacementRow({ model, name }: { model: PromptModel; name: Placement }) {
  const cost = model.costs.value?.costs.find(({ placement }) => placement === name);
  const cells = cost ? cellsOf(cost) : ['…', '…', '…'];
  return (
    <tr>
      <th scope="row">
        <label class="row">
          <input
            type="radio"
            name="placement"
            checked={model.prompt.value.placement === name}
            onChange={() => model.change({ placement: name })}
          />
          {labels[name]}
        </label>
      </th>
      {cells.map((text) => (
        <td>{text}</td>
      ))}
    </tr>
  );
}

// Says what the numbers rest on.
function Basis({ costs, implicitCacheMinimum: minimum, price }: PlacementComparison) {
  return (
    <p class="note">
      Measured with {costs[0]?.requests} requests of a simulated conversation; tokens are estimates.
      {minimum > 0 && ` The implicit cache begins at ${amount(minimum, 'token')}.`}
      {price && ` A million tokens cost $${price.input}, and $${price.cacheRead} from a cache.`} The
      service does not guarantee that it serves a cache.
    </p>
  );
}
