// Parses the output of `ctest -V` for GoogleTest suites.

/** Returns the summary lines of GoogleTest and ctest. */
export function closingLines(output) {
  const summary =
    /^\d+: \[ +(PASSED|SKIPPED) +\] \d|^\s*\d+\/\d+ Test|tests passed|^Total Test time/;
  return output.split('\n').filter((line) => summary.test(line));
}

/** Returns the output without the lines of passed tests. */
export function withoutPassed(output) {
  const passed = /\[ RUN|\[ +OK |\[-+/;
  return output
    .split('\n')
    .filter((line) => !passed.test(line))
    .join('\n');
}

/** Returns each skip reason once, with the number of tests. */
export function skipReasons(output) {
  const counts = new Map();
  for (const [, reason] of output.matchAll(/: Skipped\r?\n(?:\d+: )?(.+)/g))
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(
    ([reason, count]) => `${count} ${count === 1 ? 'test' : 'tests'}, ${reason}`,
  );
}
