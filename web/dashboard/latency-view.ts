// Shows how long things took: quantiles, and bars for the buckets.
import { element } from '../playground/dom.js';
import { amount, count, duration } from './format.js';
import { quantile, type Bucket, type Latency } from './latency.js';
import { note, table } from './table.js';

const shares = [0.5, 0.9, 0.99];

// The buckets without the empty ones at both ends.
function filled({ buckets }: Latency): Bucket[] {
  const isFilled = ({ count: values }: Bucket) => values > 0;
  return buckets.slice(buckets.findIndex(isFilled), buckets.findLastIndex(isFilled) + 1);
}

const nameOf = ({ above, upTo }: Bucket) => (upTo === Infinity ? `> ${above} s` : `≤ ${upTo} s`);

function bars(latency: Latency): HTMLElement[] {
  const buckets = filled(latency);
  const most = Math.max(...buckets.map((bucket) => bucket.count));
  const written = buckets.map((bucket) => {
    const bar = element('span', { title: `${nameOf(bucket)}: ${count(bucket.count)}` });
    bar.style.height = `${(100 * bucket.count) / most}%`;
    return bar;
  });
  const label = buckets.map((bucket) => `${nameOf(bucket)}: ${count(bucket.count)}`);
  const axis = element(
    'div',
    { className: buckets.length > 8 ? 'axis dense' : 'axis', ariaHidden: 'true' },
    ...buckets.map((bucket) => element('span', {}, nameOf(bucket).replace(' s', ''))),
  );
  const chart = { className: 'bars', role: 'img', ariaLabel: label.join(', ') };
  return [element('div', chart, ...written), axis];
}

/** Returns the table and the bars of a histogram. `unit` names what was measured. */
export function latencyView(latency: Latency, label: string, unit: string): HTMLElement[] {
  if (latency.count === 0) return [note(`No ${unit} yet.`)];
  const largest = latency.buckets.at(-1)?.above ?? 0;
  const columns = ['Median', '90 %', '99 %', 'Mean'].map((title) => ({ title, isNumber: true }));
  const values = shares.map((share) => duration(quantile(latency, share), largest));
  const cells = [amount(latency.count, unit), ...values, duration(latency.mean, largest)];
  return [table(label, [{ title: 'Of' }, ...columns], [cells]), ...bars(latency)];
}
