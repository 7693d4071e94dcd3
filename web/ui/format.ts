// Formats numbers, amounts, JSON and severities for people.

/** Formats a number: `1,024`. */
export const count = (number: number) => number.toLocaleString('en-US');

/** Formats a number with its unit: `1 byte`, `1,024 bytes`. */
export const amount = (number: number, unit: string) =>
  `${count(number)} ${unit}${number === 1 ? '' : 's'}`;

/** Returns JSON on one line, with spaces between the values. */
export const inline = (value: unknown) => JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');

export type Severity = 'error' | 'warning' | 'info';

/** The word for one finding of each severity, and the sign before it. */
export const severityWords: Record<Severity, { one: string; sign: string }> = {
  error: { one: 'error', sign: '✖' },
  warning: { one: 'warning', sign: '▲' },
  info: { one: 'note', sign: '●' },
};
