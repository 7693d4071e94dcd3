// Compares the results of Python's Jinja2 and of the engine for a case.

// The engine prints no object addresses (docs/templates-deviations.md). A template can change the digits of an
// address, for example with `replace`.
const hasAddress = (text) => / at 0x/i.test(text);

/**
 * Returns 'equal', 'different', or the reason why the results are not compared: 'address' (Python prints the address
 * of an object), 'limit' (the engine reached one of its limits), or 'slow' (Python takes too long).
 * @param {object} python @param {object} engine results: `out`, or `err` with a kind and an optional line
 */
export function compare(python, engine) {
  if (python.err?.kind === 'too slow') return 'slow';
  if (hasAddress(python.out ?? python.err.message ?? '')) return 'address';
  if (engine.err?.kind === 'limit') return 'limit';
  if (!python.err || !engine.err) return python.out === engine.out ? 'equal' : 'different';
  if (python.err.kind !== engine.err.kind) return 'different';
  const isSameLine = python.err.line === undefined || python.err.line === engine.err.line;
  return isSameLine ? 'equal' : 'different';
}
