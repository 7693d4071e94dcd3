// Checks the cost bounds of the cache planner on the published traces and on random ones.
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from 'prompt-strata';
import { costsOf, summarise } from '../sim/simulate.mjs';
import { randomTrace, kinds, traces } from '../sim/traces.mjs';

const strata = await load();

for (const placement of ['after-static', 'before-current-turn']) {
  test(`planner, dynamic text ${placement}: stays within its bounds on the published traces`, () => {
    const all = traces(placement);
    assert.equal(all.length, kinds.length * 12);
    const costs = all.map((trace) => costsOf(strata, trace));
    const { ratio, worst } = summarise(costs);
    assert.ok(ratio <= 1.1, `on average ${ratio}`);
    assert.ok(worst <= 2, `at worst ${worst}`);
    for (const cost of costs) {
      // What a store keeps of the planner is all that it needs.
      assert.equal(cost.opened, cost.planned);
    }
    const long = costs.filter((_, i) => all[i].kind === 'long chat');
    const { forgotten, planned } = summarise(long);
    assert.ok(forgotten > 2 * planned, `${forgotten} without records, ${planned} with them`);
    // No strategy can cost less than the optimum; otherwise the simulator has an error.
    for (const cost of costs) {
      for (const name of ['never', 'fixed', 'each', 'rolling', 'planned']) {
        assert.ok(cost[name] >= cost.optimum * (1 - 1e-9), name);
      }
    }
  });
}

test('planner: costs at most twice the better simple strategy on three hundred random traces', () => {
  const costs = Array.from({ length: 300 }, (_, seed) => costsOf(strata, randomTrace(seed)));
  const { ratio, worst } = summarise(costs);
  assert.ok(worst <= 2, `at worst ${worst}`);
  assert.ok(ratio <= 1.1, `on average ${ratio}`);
});
