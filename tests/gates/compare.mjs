// Judges the number of instructions of a path by the one that is recorded.

const number = (value) => value.toLocaleString('en-US');

/** Returns a change as text, such as `5.1 % more`. */
export function change(before, now) {
  const percent = (100 * (now - before)) / before;
  return `${Math.abs(percent).toFixed(1)} % ${percent < 0 ? 'fewer' : 'more'}`;
}

/**
 * Judges one count.
 * @param {{ path: string, before: number, now: number, tolerance: number }} counts `tolerance` in percent
 * @returns {{ verdict: 'same' | 'slower' | 'faster', text: string }}
 */
export function compare({ path, before, now, tolerance }) {
  const difference = (100 * (now - before)) / before;
  const text =
    `${path} takes ${number(now)} instructions, ${change(before, now)} than the ${number(before)} of ` +
    'tests/gates/instructions.json';
  const update = '`npm run gates -- --update`';
  if (difference > tolerance) {
    const advice = `Make it faster, or accept the new number with ${update}.`;
    return {
      verdict: 'slower',
      text: `${text}; at most ${tolerance} % more is allowed. ${advice}`,
    };
  }
  if (difference < -tolerance)
    return { verdict: 'faster', text: `${text}. Keep what was gained with ${update}.` };
  return { verdict: 'same', text: `${text}.` };
}
