// Writes numbers for people.

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const dollars = (digits: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', ...digits });
const cents = dollars({ maximumFractionDigits: 2 });
const lessThanCents = dollars({ maximumSignificantDigits: 2 });

/** Formats a count: `1,024`. */
export const count = (value: number): string => whole.format(value);

/** Formats a count with its unit: `1 request`, `1,024 requests`. */
export const amount = (value: number, unit: string): string =>
  `${count(value)} ${unit}${value === 1 ? '' : 's'}`;

/** Formats an amount of money: `$1.25`, `$0.0012`. */
export const money = (usd: number): string =>
  (usd > 0 && usd < 0.01 ? lessThanCents : cents).format(usd);

/** Formats a share: `37 %`. A share that is not nothing is not `0 %`. */
export function percent(part: number, all: number): string {
  if (all === 0) return '–';
  const share = (100 * part) / all;
  if (share > 0 && share < 1) return '< 1 %';
  return `${Math.floor(share)} %`;
}

/** Formats a time in seconds: `250 ms`, `1.2 s`. undefined is unknown, Infinity above what is measured. */
export function duration(seconds: number | undefined, largest: number): string {
  if (seconds === undefined) return '–';
  if (seconds === Infinity) return `over ${largest} s`;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
}

/** Formats the time of the day. */
export const timeOfDay = (date: Date): string => date.toLocaleTimeString('en-GB');

/** Formats a date with its time. */
export const dateAndTime = (date: Date): string =>
  date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
