// Parses JSON without rounding its numbers, where the runtime can (V8 11.4 and later).

// TypeScript does not declare it yet.
const { rawJSON } = JSON as { rawJSON?: (text: string) => object };

type Revive = (key: string, value: unknown, context: { source: string }) => unknown;

const keepDigits: Revive = (_, value, { source }) =>
  typeof value === 'number' && String(value) !== source ? rawJSON?.(source) : value;

/**
 * Parses JSON. Numbers that JSON.stringify would write differently, such as those that a double rounds, become objects
 * that it writes as they were. They are for values that are only passed on.
 *
 * @throws SyntaxError
 */
export const parseExact = (text: string): unknown =>
  JSON.parse(text, rawJSON && (keepDigits as () => unknown));
