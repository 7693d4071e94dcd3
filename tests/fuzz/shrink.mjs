// Shrinks a template while it still shows the difference.

/** Yields the pieces to try to remove: first large ones, then single characters. */
function* cuts(units) {
  for (let size = units.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at + size <= units.length; at += Math.max(1, size >> 1)) yield { at, size };
  }
}

/**
 * Returns a smaller text for which `holds` is still true, after at most `maxAttempts` calls.
 * @param {string} text
 * @param {(text: string) => Promise<boolean>} holds
 */
export async function shrink(text, holds, maxAttempts = 3000) {
  let units = [...text];
  let attempts = 0;
  let isSmaller = true;
  while (isSmaller && attempts < maxAttempts) {
    isSmaller = false;
    for (const { at, size } of cuts(units)) {
      if (at + size > units.length) continue;
      if (++attempts > maxAttempts) break;
      const fewer = [...units.slice(0, at), ...units.slice(at + size)];
      if (!(await holds(fewer.join('')))) continue;
      units = fewer;
      isSmaller = true;
    }
  }
  return units.join('');
}

/** Returns a summary that identifies a difference, so that shrinking does not end at another one. */
export function characterOf(python, engine) {
  const summarize = ({ err }) =>
    err ? `${err.kind} ${(err.message ?? '').replace(/'[^']*'|\d+/g, '…')}` : 'output';
  return `${summarize(python)} / ${summarize(engine)}`;
}
