// The planner's bounds, on the published traces and beyond them.
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from 'prompt-strata';
import { costsOf, summarise } from '../sim/simulate.mjs';
import { anyTrace, kinds, traces } from '../sim/traces.mjs';

const strata = await load();

for (const placement of ['after-static', 'before-current-turn']) {
  test(`planner, dynamic text ${placement}: the bounds hold on the published traces`, () => {
    const all = traces(placement);
    assert.equal(all.length, kinds.length * 12);
    const costs = all.map((trace) => costsOf(strata, trace));
    const { ratio, worst } = summarise(costs);
    assert.ok(ratio <= 1.1, `on average ${ratio}`);
    assert.ok(worst <= 2, `at worst ${worst}`);
    // Nobody is better than the clairvoyant: else the simulator counts wrong.
    for (const cost of costs) {
      for (const name of ['never', 'fixed', 'each', 'rolling', 'planned']) {
        assert.ok(cost[name] >= cost.optimum * (1 - 1e-9), name);
      }
    }
  });
}

test('planner: no trace of three hundred others costs more than twice the better plain way', () => {
  const costs = Array.from({ length: 300 }, (_, seed) => costsOf(strata, anyTrace(seed)));
  const { ratio, worst } = summarise(costs);
  assert.ok(worst <= 2, `at worst ${worst}`);
  assert.ok(ratio <= 1.1, `on average ${ratio}`);
});
