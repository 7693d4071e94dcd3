// Parses JSON without rounding its numbers, where the runtime can (V8 11.4 and later).

type Revive = (key: string, value: unknown, context?: { source?: string }) => unknown;

// TypeScript does not declare it yet.
const { rawJSON } = JSON as { rawJSON?: (text: string) => object };

// 16 digits, or an exponent of three: shorter numbers always fit.
const maybeInexact = /\d[\d.]{15}|\d[eE][+-]?\d{3}/;

/** Returns the digits of a number without leading and trailing zeros, and the power of ten of the last one. */
function digitsOf(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return significant === '' ? '0' : `${significant}e${power}`;
}

const isExact = (value: number, source: string): boolean =>
  Number.isFinite(value) && digitsOf(String(value)) === digitsOf(source);

const keepDigits: Revive = (_, value, { source } = {}) => {
  if (typeof value !== 'number' || source === undefined || isExact(value, source)) return value;
  return rawJSON?.(source);
};

/**
 * Parses JSON. A number that a double would round becomes an object that JSON.stringify writes as it was, so that a value
 * that is only passed on keeps its digits.
 *
 * @throws SyntaxError
 */
export function parseExact(text: string): unknown {
  const isPlain = !rawJSON || !maybeInexact.test(text);
  return isPlain ? JSON.parse(text) : JSON.parse(text, keepDigits as (key: string) => unknown);
}
