// Components of the dashboard: panels, tables and the bars of a histogram.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { amount, count } from '../ui/format.js';
import { duration, within } from './numbers.js';
import { quantile, type Bucket, type Latency } from './summary.js';

/** A column. Numbers stand on the right. */
export interface Column {
  title: string;
  isNumber?: boolean;
}

/** A column of numbers. */
export const number = (title: string): Column => ({ title, isNumber: true });

const classOf = (column: Column | undefined) => (column?.isNumber ? 'number' : undefined);

interface TableProps {
  label: string;
  columns: readonly Column[];
  /** The first cell of a row names it. */
  rows: readonly (readonly ComponentChildren[])[];
}

/** A table. A wide one scrolls by itself, also with the keyboard. */
export function Table({ label, columns, rows }: TableProps) {
  return (
    <div class="wide" tabIndex={0} role="region" aria-label={label}>
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], index) => (
            <tr key={index}>
              <th scope="row">{name}</th>
              {cells.map((cell, place) => (
                <td key={place} class={classOf(columns[place + 1])}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A section with a heading. */
export function Panel({ title, children }: { title: string; children: ComponentChildren }) {
  const id = `panel-${title.toLowerCase().replace(/\W+/g, '-')}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** A soft note. */
export const Note = ({ children }: { children: ComponentChildren }) => (
  <p class="note">{children}</p>
);

// The buckets without the empty ones at both ends.
function filled({ buckets }: Latency): Bucket[] {
  const isFilled = ({ count: values }: Bucket) => values > 0;
  return buckets.slice(buckets.findIndex(isFilled), buckets.findLastIndex(isFilled) + 1);
}

const boundOf = ({ above, upTo }: Bucket) => (upTo === Infinity ? `> ${above}` : `≤ ${upTo}`);

// Its height is set by script: the page's policy allows no style in HTML.
function Bar({ share, title }: { share: number; title: string }) {
  const bar = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => bar.current?.style.setProperty('height', `${100 * share}%`), [share]);
  return <span ref={bar} title={title} />;
}

function Bars({ latency }: { latency: Latency }) {
  const buckets = filled(latency);
  const most = Math.max(...buckets.map((bucket) => bucket.count));
  const titleOf = (bucket: Bucket) => `${boundOf(bucket)} s: ${count(bucket.count)}`;
  return (
    <>
      <div class="bars" role="img" aria-label={buckets.map(titleOf).join(', ')}>
        {buckets.map((bucket) => (
          <Bar key={bucket.upTo} share={bucket.count / most} title={titleOf(bucket)} />
        ))}
      </div>
      <div class={buckets.length > 8 ? 'axis dense' : 'axis'} aria-hidden="true">
        {buckets.map((bucket) => (
          <span key={bucket.upTo}>{boundOf(bucket)}</span>
        ))}
      </div>
    </>
  );
}

interface LatencyProps {
  latency: Latency;
  label: string;
  /** What was measured: `request`. */
  unit: string;
}

/** The table and the bars of a histogram. */
export function LatencyView({ latency, label, unit }: LatencyProps) {
  if (latency.count === 0) return <Note>{`No ${unit} yet.`}</Note>;
  const quantiles = [0.5, 0.9, 0.99].map((share) => within(quantile(latency, share)));
  const mean = latency.mean === undefined ? '–' : duration(latency.mean);
  const columns = [{ title: 'Of' }, ...['Median', '90 %', '99 %', 'Mean'].map(number)];
  const cells = [amount(latency.count, unit), ...quantiles, mean];
  return (
    <>
      <Table label={label} columns={columns} rows={[cells]} />
      <Bars latency={latency} />
    </>
  );
}
