// npm run sim:cache: prints the cost of the cache planner on the published traces, compared with no caching, a
// fixed prefix, a rolling cache, and the optimum with knowledge of the whole conversation.
import { readOptions } from '../../scripts/setup/options.mjs';
import { prepare } from '../../scripts/setup/prepare.mjs';
import { main } from '../../scripts/setup/run.mjs';
import { table } from '../support/table.mjs';
import { missingFrom, sharedPath } from '../support/shared-folder.mjs';
import { recordedTraces } from './recorded.mjs';
import { costsOf, mean, summarise } from './simulate.mjs';
import { kinds, traces } from './traces.mjs';

const usage = `Usage: npm run sim:cache

Prints the cost of the cache planner on the published traces. There are no options. STRATA_SHARED names a
folder that contains recorded answers in fixtures/ (default: ../shared); without them, the row 'recorded' is
omitted.`;

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
// The conversation is opened for each message.
const perMessageHead = ['trace', 'nothing recorded', 'recorded in the store', 'stays open'];
const perMessage = ['forgotten', 'opened', 'planned'];

function row(name, costs, of = columns) {
  const summary = summarise(costs);
  return [name, ...of.map((column) => summary[column].toFixed(2))];
}

function print(strata, placement, recorded) {
  const all = [...traces(placement), ...recorded].map((trace) => ({
    kind: trace.kind,
    ...costsOf(strata, trace),
  }));
  const present = [...kinds, 'recorded'].filter((kind) => all.some((cost) => cost.kind === kind));
  const rows = (of) => [
    ...present.map((kind) =>
      row(
        kind,
        all.filter((cost) => cost.kind === kind),
        of,
      ),
    ),
    row('all', all, of),
  ];
  console.log(`\ndynamic.placement: '${placement}'\n`);
  console.log(table(head, rows(columns)));
  console.log('\nThe same planner, if the conversation is opened for each message:\n');
  console.log(table(perMessageHead, rows(perMessage)));
  return all;
}

function compare(after, before) {
  const change = (name) => 100 * (mean(before.map((cost, i) => cost[name] / after[i][name])) - 1);
  const percent = (name) => `${change(name) < 0 ? '' : '+'}${change(name).toFixed(0)} %`;
  console.log(
    `\n'before-current-turn' compared with 'after-static': no caching ${percent('never')}, ` +
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
    'Costs are relative to no caching, averaged over the traces. ratio: the planner divided by the better of no\n' +
      'caching and a rolling cache; worst: the highest ratio of a single trace.',
  );
  const after = print(strata, 'after-static', recorded);
  compare(after, print(strata, 'before-current-turn', recorded));
});
