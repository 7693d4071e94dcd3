// Formats the numbers and tables of the benchmarks, for the terminal and docs/benchmarks.md.

/** Formats milliseconds with three significant digits. */
export function ms(value) {
  if (value < 0.1) return `${(value * 1000).toPrecision(3)} µs`;
  return `${value >= 100 ? value.toFixed(0) : value.toPrecision(3)} ms`;
}

/** Formats the median and the middle half of milliseconds. */
export const withSpread = ({ median, low, high }) => `${ms(median)} (${ms(low)}–${ms(high)})`;

export function bytes(count) {
  if (count < 10_000) return `${count} B`;
  return count < 1e6 ? `${(count / 1e3).toFixed(1)} KB` : `${(count / 1e6).toFixed(2)} MB`;
}

export const times = (ratio) => `${ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(2)}×`;

/** Returns a Markdown table with right-aligned numbers. */
export function table(head, rows) {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i].length)));
  const pad = (cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]));
  const line = (row) => `| ${row.map(pad).join(' | ')} |`;
  const rule = widths.map((width, i) =>
    i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}
