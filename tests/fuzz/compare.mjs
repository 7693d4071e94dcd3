// Compares what Python's Jinja2 and the engine made of a case.

// docs/templates-deviations.md: an object's address has no place in an output that is a function of its input.
// A template can change digits of the address, for example with `replace`.
const hasAddress = (text) => / at 0x/i.test(text);

/**
 * 'equal', 'different', or why the two are not compared: 'address' (Python prints where an object lies),
 * 'limit' (the engine's budget ends what Python renders, or Python's own recursion limit) or 'slow' (Python
 * takes too long).
 * @param {object} python @param {object} engine results: `out`, or `err` with a kind and perhaps a line
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
