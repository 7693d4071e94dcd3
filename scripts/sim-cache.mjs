// npm run sim:cache: what the cache planner costs on the published traces, beside never caching, a fixed
// prefix, always rolling, and the optimum of one who knows the conversation beforehand.
import { readOptions } from './setup/options.mjs';
import { prepare } from './setup/prepare.mjs';
import { main } from './setup/run.mjs';
import { table } from '../tests/bench/table.mjs';
import { missingFrom, sharedPath } from '../tests/shared-folder.mjs';
import { recordedTraces } from '../tests/sim/recorded.mjs';
import { costsOf, mean, summarise } from '../tests/sim/simulate.mjs';
import { kinds, traces } from '../tests/sim/traces.mjs';

const usage = `Usage: npm run sim:cache

Prints what the cache planner costs on the published traces. It takes no options. STRATA_SHARED names a folder
with recorded answers in fixtures/ (../shared); without them the row 'recorded' is left out.`;

const head = [
  'trace',
  'fixed prefix',
  'rolling each',
  'rolling',
  'planner',
  'optimum',
  'ratio',
  'worst',
];
const columns = ['fixed', 'each', 'rolling', 'planned', 'optimum', 'ratio', 'worst'];

function row(name, costs) {
  const summary = summarise(costs);
  return [name, ...columns.map((column) => summary[column].toFixed(2))];
}

function print(strata, placement, recorded) {
  const all = [...traces(placement), ...recorded].map((trace) => ({
    kind: trace.kind,
    ...costsOf(strata, trace),
  }));
  const present = [...kinds, 'recorded'].filter((kind) => all.some((cost) => cost.kind === kind));
  const rows = present.map((kind) =>
    row(
      kind,
      all.filter((cost) => cost.kind === kind),
    ),
  );
  console.log(`\ndynamic.placement: '${placement}'\n`);
  console.log(table(head, [...rows, row('all', all)]));
  return all;
}

function compare(after, before) {
  const change = (name) => 100 * (mean(before.map((cost, i) => cost[name] / after[i][name])) - 1);
  const percent = (name) => `${change(name) < 0 ? '' : '+'}${change(name).toFixed(0)} %`;
  console.log(
    `\n'before-current-turn' against 'after-static': never caching ${percent('never')}, ` +
      `planner ${percent('planned')}, optimum ${percent('optimum')}.`,
  );
}

await main(() => readOptions(usage));
const missing = missingFrom('recorded answers', 'fixtures');
if (missing) console.log(`Skipped: the trace 'recorded'; ${missing}.\n`);

await prepare('package');
await main(async () => {
  const { load } = await import('prompt-strata');
  const strata = await load();
  const recorded = recordedTraces(sharedPath('fixtures'));
  console.log(
    'Costs are shares of never caching, means over the traces. ratio: the planner to the better of never\n' +
      'caching and always rolling; worst: the highest ratio of a single trace.',
  );
  const after = print(strata, 'after-static', recorded);
  compare(after, print(strata, 'before-current-turn', recorded));
});
