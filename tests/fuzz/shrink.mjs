// Makes a template smaller while what shows the difference stays.

/** The pieces that may go: first large parts, then words and characters. */
function* cuts(units) {
  for (let size = units.length >> 1; size >= 1; size >>= 1) {
    for (let at = 0; at + size <= units.length; at += Math.max(1, size >> 1)) yield { at, size };
  }
}

/**
 * A smaller text for which `keeps` still holds, after at most `most` questions.
 * @param {string} text
 * @param {(text: string) => Promise<boolean>} keeps
 */
export async function shrink(text, keeps, most = 3000) {
  let units = [...text];
  let asked = 0;
  let isSmaller = true;
  while (isSmaller && asked < most) {
    isSmaller = false;
    for (const { at, size } of cuts(units)) {
      if (at + size > units.length) continue;
      if (++asked > most) break;
      const fewer = [...units.slice(0, at), ...units.slice(at + size)];
      if (!(await keeps(fewer.join('')))) continue;
      units = fewer;
      isSmaller = true;
    }
  }
  return units.join('');
}

/** What a difference is about: shrinking must not end at another one. */
export function characterOf(python, engine) {
  const of = ({ err }) =>
    err ? `${err.kind} ${(err.message ?? '').replace(/'[^']*'|\d+/g, '…')}` : 'output';
  return `${of(python)} / ${of(engine)}`;
}
