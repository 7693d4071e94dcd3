// Measures what the placement of the dynamic layer costs, with the requests of a simulated conversation.
import type { Manifest, ModelPrice } from '../../index.js';
import { dispose } from '../../sdk/internal/lifetime.js';
import { costOf } from '../../sdk/internal/cost.js';
import type { Placement } from '../state/playground-document.js';
import type {
  Engines,
  PlacementComparison,
  PlacementCost,
  PromptQuestion,
} from './prompt-result.js';
import { RequestSeries } from './request-series.js';

const placements: Placement[] = ['after-static', 'before-current-turn'];

/** Ends a comparison whose question is not the newest any more. */
export type Pause = () => Promise<boolean>;

interface Rates {
  implicitCacheMinimum: number;
  price?: ModelPrice;
}

// Adds one request to the sums. A cache serves a stable prefix that reaches the minimum.
function add(
  cost: PlacementCost,
  { promptTokens, stablePrefixTokens }: Manifest,
  rates: Rates,
): void {
  const { implicitCacheMinimum: minimum, price } = rates;
  const served = minimum > 0 && stablePrefixTokens >= minimum ? stablePrefixTokens : 0;
  cost.requests++;
  cost.promptTokens += promptTokens;
  cost.lastPromptTokens = promptTokens;
  cost.lastStableTokens = stablePrefixTokens;
  cost.servedTokens += served;
  if (!price) return;
  const counts = { input: promptTokens, cached: served, output: 0 };
  cost.inputCost = (cost.inputCost ?? 0) + costOf(counts, price);
  cost.uncachedCost = (cost.uncachedCost ?? 0) + costOf({ ...counts, cached: 0 }, price);
}

const empty = (placement: Placement): PlacementCost => ({
  placement,
  requests: 0,
  promptTokens: 0,
  lastPromptTokens: 0,
  lastStableTokens: 0,
  servedTokens: 0,
});

async function placementCost(
  engines: Engines,
  question: PromptQuestion,
  placement: Placement,
  rates: Rates,
  pause: Pause,
): Promise<PlacementCost | undefined> {
  const prompt = { ...question.prompt, placement };
  const settings = { ...question.settings, caching: false };
  const choice = { ...question, prompt, settings, history: '' };
  const series = new RequestSeries(engines, choice, question.now);
  const cost = empty(placement);
  let previous: Manifest | undefined;
  try {
    for (let turn = 0; turn < series.length; turn++) {
      const { ok, manifest } = series.request(turn, previous);
      if (!ok) return undefined;
      add(cost, manifest, rates);
      previous = manifest;
      if (!(await pause())) return undefined;
    }
    return cost;
  } finally {
    series[dispose]();
  }
}

/** Compares both placements over ten turns; undefined if `pause` ended it or a request is invalid. */
export async function comparePlacements(
  engines: Engines,
  question: PromptQuestion,
  pause: Pause,
): Promise<PlacementComparison | undefined> {
  const { model, backend } = question.settings;
  const rates = engines.strata.modelLimits(model, { backend, now: question.now });
  const costs: PlacementCost[] = [];
  for (const placement of placements) {
    const cost = await placementCost(engines, question, placement, rates, pause);
    if (!cost) return undefined;
    costs.push(cost);
  }
  const { implicitCacheMinimum, price } = rates;
  return { costs, implicitCacheMinimum, ...(price ? { price } : {}) };
}
