// Formats numbers, amounts and JSON for people.

/** Formats a number: `1,024`. */
export const count = (number: number) => number.toLocaleString('en-US');

/** Formats a number with its unit: `1 byte`, `1,024 bytes`. */
export const amount = (number: number, unit: string) =>
  `${count(number)} ${unit}${number === 1 ? '' : 's'}`;

/** Returns JSON on one line, with spaces between the values. */
export const inline = (value: unknown) => JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ');
