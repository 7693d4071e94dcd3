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

// Adds the requests up. A cache serves a stable prefix that reaches the minimum.
function sumOf(
  placement: Placement,
  manifests: Manifest[],
  { implicitCacheMinimum: minimum, price }: Rates,
): PlacementCost {
  const isServed = (tokens: number) => minimum > 0 && tokens >= minimum;
  const cost = { placement, requests: manifests.length, promptTokens: 0, servedTokens: 0 };
  for (const { promptTokens, stablePrefixTokens } of manifests) {
    cost.promptTokens += promptTokens;
    if (isServed(stablePrefixTokens)) cost.servedTokens += stablePrefixTokens;
  }
  const last = manifests.at(-1);
  const input = (cached: number) =>
    price && costOf({ input: cost.promptTokens, cached, output: 0 }, price);
  const [inputCost, uncachedCost] = [input(cost.servedTokens), input(0)];
  return {
    ...cost,
    lastPromptTokens: last?.promptTokens ?? 0,
    lastStableTokens: last?.stablePrefixTokens ?? 0,
    ...(inputCost !== undefined && uncachedCost !== undefined ? { inputCost, uncachedCost } : {}),
  };
}

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
  const manifests: Manifest[] = [];
  try {
    for (let turn = 0; turn < series.length; turn++) {
      const { ok, manifest } = series.request(turn, manifests.at(-1));
      if (!ok) return undefined;
      manifests.push(manifest);
      if (!(await pause())) return undefined;
    }
    return sumOf(placement, manifests, rates);
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
