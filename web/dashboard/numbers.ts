// Writes amounts of money, shares, times and dates for people.
import type { Bucket } from './summary.js';

const dollars = (digits: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', ...digits });
const cents = dollars({ maximumFractionDigits: 2 });
const lessThanCents = dollars({ maximumSignificantDigits: 2 });

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

/** Formats a time in seconds: `250 ms`, `1.2 s`. */
export function duration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  return `${Number(seconds.toFixed(seconds < 10 ? 1 : 0))} s`;
}

/** Formats what is known of a time that lies in a bucket: `< 100 ms`, `1 s to 2.5 s`, `> 300 s`. */
export function within(bucket: Bucket | undefined): string {
  if (bucket === undefined) return '–';
  const { above, upTo } = bucket;
  if (upTo === Infinity) return `> ${duration(above)}`;
  return above === 0 ? `< ${duration(upTo)}` : `${duration(above)} to ${duration(upTo)}`;
}

/** Formats the time of the day. */
export const timeOfDay = (date: Date): string => date.toLocaleTimeString('en-GB');

/** Formats a date with its time. */
export const dateAndTime = (date: Date): string =>
  date.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
